import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Tables that were changed with SQL statements.
@Suite(.waiting) struct DriftTests {
  private static let schema = Schema([Parcel.self, Crate.self, Tag.self])

  /// The error names the difference, both when the store is opened and in a program that already has it open. Once the
  /// change is reverted, the store works as before.
  @Test(arguments: [
    (
      "ALTER TABLE \"Crate\" RENAME TO \"Box\"", "ALTER TABLE \"Box\" RENAME TO \"Crate\"", "table 'Crate' is missing"
    ),
    (
      "ALTER TABLE \"Crate\" RENAME \"name\" TO \"title\"", "ALTER TABLE \"Crate\" RENAME \"title\" TO \"name\"",
      "column 'Crate.name' is missing"
    ),
    (
      "ALTER TABLE \"Crate\" RENAME \"$exact\" TO \"exact\"", "ALTER TABLE \"Crate\" RENAME \"exact\" TO \"$exact\"",
      "column 'Crate.$exact' is missing"
    ),
    (
      "ALTER SEQUENCE \"Crate_keys\" RENAME TO \"keys\"", "ALTER SEQUENCE \"keys\" RENAME TO \"Crate_keys\"",
      "sequence 'Crate_keys' is missing"
    ),
    (
      "ALTER TABLE trellis_tombstones RENAME TO tombstones", "ALTER TABLE tombstones RENAME TO trellis_tombstones",
      "table 'trellis_tombstones' is missing"
    ),
  ])
  func externalChangesAreNamed(change: String, back: String, difference: String) throws {
    let server = try PostgresServer.shared.get()
    let configuration = server.configuration(schema: Self.schema)
    let path = "SET search_path TO \"\(try #require(configuration.schemaName))\""
    let context = ModelContext(try ModelContainer(for: Self.schema, configurations: [configuration]))
    context.insert(Crate(name: "first"))
    try context.save()
    func isNamed(_ error: any Error) -> Bool {
      (error as? SwiftDataError)?.storeProblem == .drifted && "\(error)".contains(difference)
    }
    try server.psql("\(path); \(change)")
    #expect {
      _ = try ModelContainer(for: Self.schema, configurations: [configuration])
    } throws: { isNamed($0) }
    #expect {
      let context = ModelContext(context.container)
      try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
      for crate in try context.fetch(FetchDescriptor<Crate>()) { context.delete(crate) }
      // This needs more row numbers than the program has reserved.
      for number in 0..<1_001 { context.insert(Crate(name: "\(number)")) }
      try context.save()
    } throws: { isNamed($0) }
    try server.psql("\(path); \(back)")
    let again = ModelContext(try ModelContainer(for: Self.schema, configurations: [configuration]))
    #expect(try again.fetch(FetchDescriptor<Crate>()).map(\.name) == ["first"])
  }

  /// A numeric column that was changed to text would be read incorrectly.
  @Test func changedColumnTypesAreNamed() throws {
    let server = try PostgresServer.shared.get()
    let configuration = server.configuration(schema: Self.schema)
    let path = "SET search_path TO \"\(try #require(configuration.schemaName))\""
    _ = try ModelContainer(for: Self.schema, configurations: [configuration])
    try server.psql("\(path); ALTER TABLE \"Crate\" ALTER \"name\" TYPE varchar(100)")
    _ = try ModelContainer(for: Self.schema, configurations: [configuration])
    try server.psql("\(path); ALTER TABLE \"Parcel\" ALTER \"weight\" TYPE text")
    #expect {
      _ = try ModelContainer(for: Self.schema, configurations: [configuration])
    } throws: { "\($0)".contains("column 'Parcel.weight' has a different type") }
    // Without its metadata, the store looks like another program's database.
    try server.psql("\(path); ALTER TABLE trellis_metadata RENAME TO metadata")
    #expect {
      _ = try ModelContainer(for: Self.schema, configurations: [configuration])
    } throws: { ($0 as? SwiftDataError)?.storeProblem == .foreign }
  }
}
