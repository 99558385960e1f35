import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// `insert(contentsOf:)` with snapshots: rows are saved with COPY in one transaction.
@Suite(.waiting) struct SnapshotBatchTests {
  private static let schema = Schema([Parcel.self, Crate.self, Tag.self, Convoy.self, Truck.self, Seal.self])

  private static func container(_ configuration: PostgresConfiguration) throws -> ModelContainer {
    try ModelContainer(for: schema, configurations: [configuration])
  }

  private static func labels(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Parcel>()).map(\.label)
  }

  /// Small batches, batches that use COPY, and text in other normalization forms, both as an array and as a sequence
  /// that is read in chunks.
  @Test(arguments: [1, 900, 1_000, 2_500, 9_000], [false, true])
  func snapshotsAreInserted(count: Int, isLazy: Bool) throws {
    let container = try Self.container(PostgresServer.shared.get().configuration())
    let context = ModelContext(container)
    let crate = Crate(name: "all")
    context.insert(crate)
    try context.save()
    let texts = (0..<count).map { $0 % 1_700 == 1_699 ? "e\u{301} \($0)" : "label \"\\\t\n\($0) é" }
    func snapshot(_ number: Int) -> Parcel.Snapshot {
      Parcel.Snapshot(
        label: texts[number], weight: Double(number) / 7, note: number % 3 == 0 ? nil : "note",
        crate: number % 2 == 0 ? crate.persistentModelID : nil)
    }
    let result =
      isLazy
      ? try context.insert(contentsOf: (0..<count).lazy.map(snapshot))
      : try context.insert(contentsOf: (0..<count).map(snapshot))
    #expect(result.insertedCount == count && result.updatedCount == 0)
    let found = try ModelContext(container).fetch(FetchDescriptor<Parcel>())
    #expect(found.map { Array($0.label.utf8) } == texts.map { Array($0.utf8) })
    #expect(found.map(\.persistentModelID) == Array(result.identifiers))
    #expect(found.enumerated().allSatisfy { $1.weight == Double($0) / 7 && ($1.note == nil) == ($0 % 3 == 0) })
    #expect(found.enumerated().allSatisfy { ($1.crate == nil) == ($0 % 2 == 1) })
    // The context that performed the insertion is updated.
    #expect(crate.parcels.count == (count + 1) / 2)
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.changes.count) == [1, count])
  }

  /// A batch takes one transaction with COPY and few round trips.
  @Test func snapshotsAreCopied() throws {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    var configuration = PostgresConfiguration(schema: Self.schema, url: proxy.url())
    configuration.schemaName = server.configuration().schemaName
    configuration.engine.listens = false
    let context = ModelContext(try Self.container(configuration))
    proxy.forgetTrace()
    try context.insert(contentsOf: (0..<5_000).map { Parcel.Snapshot(label: "\($0)") })
    let statements = proxy.trace.compactMap(\.sql)
    #expect(statements.count { $0.hasPrefix("COPY") } == 1)
    #expect(!statements.contains { $0.hasPrefix("INSERT") && $0.contains("Parcel") })
    #expect(proxy.trace.count { $0.kind == .typed("S") && $0.sender == .client } <= 6)
  }

  /// Nothing is saved, and the connection can be used afterwards.
  @Test(arguments: [10, 3_000]) func errorsLeaveNoRows(count: Int) throws {
    let container = try Self.container(PostgresServer.shared.get().configuration())
    let context = ModelContext(container)
    let crate = Crate(name: "gone")
    context.insert(crate)
    try context.save()
    func parcels(_ change: (inout Parcel.Snapshot) -> Void) -> [Parcel.Snapshot] {
      var all = (0..<count).map { Parcel.Snapshot(label: "\($0)") }
      change(&all[count - 1])
      return all
    }
    #expect {
      try context.insert(contentsOf: parcels { $0.label = "a\0b" })
    } throws: {
      ($0 as? PostgresError)?.code == .nullCharacter && "\($0)".contains("Parcel.label")
    }
    // A sequence that throws one of the program's errors.
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.insert(contentsOf: parcels { _ in }, chunkSize: count) { _ in throw Stop() }
    }
    let identifier = crate.persistentModelID
    context.delete(crate)
    try context.save()
    #expect {
      try context.insert(contentsOf: parcels { $0.crate = identifier })
    } throws: {
      let violations = ($0 as? SwiftDataError)?.details ?? []
      return violations.map(\.properties) == [["crate"]] && violations[0].others == [identifier]
    }
    #expect {
      try context.insert(contentsOf: (0..<count).map { Tag.Snapshot(text: "\($0)", crate: nil) })
    } throws: {
      let violations = ($0 as? SwiftDataError)?.details ?? []
      return violations.count == min(count, 1_000) && violations.allSatisfy { $0.rule == .required }
    }
    #expect(try Self.labels(container) == [])
    let saved = try context.insert(contentsOf: parcels { _ in })
    #expect(try Self.labels(container).count == count)
    #expect {
      try context.insert(contentsOf: parcels { $0.persistentIdentifier = saved.identifiers[0] })
    } throws: {
      ($0 as? SwiftDataError)?.details.map(\.rule) == [.unique]
    }
    #expect(try Self.labels(container).count == count)
  }

  /// The progress block and the sequence may use the store, and may even save. They do not see the batch's rows before
  /// it ends.
  @Test func theStoreCanBeUsedDuringABatch() throws {
    let container = try Self.container(PostgresServer.shared.get().configuration())
    let context = ModelContext(container)
    let other = ModelContext(container)
    var counts: [Int] = []
    try context.insert(contentsOf: (0..<2_500).map { Parcel.Snapshot(label: "\($0)") }, chunkSize: 1_000) { count in
      counts.append(count)
      #expect(try other.fetchCount(FetchDescriptor<Parcel>()) == 0)
      other.insert(Crate(name: "\(count)"))
      try other.save()
    }
    #expect(counts == [1_000, 2_000])
    #expect(try other.fetchCount(FetchDescriptor<Parcel>()) == 2_500)
    #expect(try other.fetchCount(FetchDescriptor<Crate>()) == 2)
  }

  /// If row security on the table prevents COPY, rows are inserted with array parameters.
  @Test func rowsOfATableWithRowSecurity() throws {
    let server = try PostgresServer.shared.get()
    var configuration = server.configuration()
    let schema = configuration.schemaName ?? ""
    _ = try Self.container(configuration)
    let role = "batch_writer_\(UInt32.random(in: 0...UInt32.max))"
    try server.psql(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA "\(schema)" TO \(role);
      GRANT ALL ON ALL TABLES IN SCHEMA "\(schema)" TO \(role); GRANT ALL ON ALL SEQUENCES IN SCHEMA "\(schema)" TO \(role);
      ALTER TABLE "\(schema)"."Parcel" ENABLE ROW LEVEL SECURITY;
      CREATE POLICY visible ON "\(schema)"."Parcel" USING ("label" <> 'hidden')
      """)
    configuration = PostgresConfiguration(url: "host=\(server.folder.path) user=\(role) dbname=postgres")
    configuration.schemaName = schema
    let container = try Self.container(configuration)
    let context = ModelContext(container)
    let labels = (0..<2_500).map { "\($0)" }
    try context.insert(contentsOf: labels.map { Parcel.Snapshot(label: $0) })
    #expect(try Self.labels(container) == labels)
    #expect(throws: PostgresError.self) { try context.insert(contentsOf: [Parcel.Snapshot(label: "hidden")]) }
    #expect(try Self.labels(container) == labels)
  }

  /// The connection is lost before or after the server has committed.
  @Test(arguments: [true, false]) func theConnectionIsLost(isCommitted: Bool) throws {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    var configuration = PostgresConfiguration(url: proxy.url())
    configuration.schemaName = server.configuration().schemaName
    configuration.preparesStatements = false
    let container = try Self.container(configuration)
    let isCommitting = Shared(false)
    let lost = Shared<ContinuousClock.Instant?>(nil)
    proxy.setRule { message in
      if message.sql == "COMMIT" { isCommitting.withLock { $0 = true } }
      return lost.withLock { lost in
        guard lost == nil else {
          // The store determines the outcome over a new connection, once the server has had time to commit.
          return isCommitted && ContinuousClock.now < (lost ?? .now) + .seconds(1) ? .cut : .forward
        }
        let kind: ProtocolMessage.Kind = .typed(isCommitted ? "S" : "c")
        guard message.sender == .client, message.kind == kind, !isCommitted || isCommitting.withLock({ $0 }) else {
          return .forward
        }
        lost = .now
        return isCommitted ? .cutAfter : .cut
      }
    }
    let context = ModelContext(container)
    let snapshots = (0..<2_000).map { Parcel.Snapshot(label: "\($0)") }
    if isCommitted {
      #expect(try context.insert(contentsOf: snapshots).insertedCount == 2_000)
    } else {
      #expect {
        try context.insert(contentsOf: snapshots)
      } throws: {
        ($0 as? PostgresError)?.code == .connectionLost
      }
    }
    #expect(try Self.labels(container).count == (isCommitted ? 2_000 : 0))
  }

  /// Models with unique constraints are copied too. If a value already exists, they are saved as models, following the
  /// constraint's policy.
  @Test(arguments: [false, true]) func uniqueValuesAreMerged(isLazy: Bool) throws {
    let container = try Self.container(PostgresServer.shared.get().configuration())
    let context = ModelContext(container)
    func insert(_ numbers: Range<Int>, _ text: String) throws -> BatchResult {
      let snapshots = numbers.lazy.map { Seal.Snapshot(number: $0, text: text) }
      return try isLazy ? context.insert(contentsOf: snapshots) : context.insert(contentsOf: Array(snapshots))
    }
    let first = try insert(0..<1_500, "first")
    // If they were saved as models, each chunk would have its own transaction.
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 1)
    let second = try insert(1_000..<2_500, "second")
    #expect(first.insertedCount == 1_500 && Set(second.identifiers).count == 1_500)
    let found = try ModelContext(container).fetch(FetchDescriptor<Seal>(sortBy: [SortDescriptor(\.number)]))
    #expect(found.map(\.number) == Array(0..<2_500))
    #expect(found.allSatisfy { $0.text == ($0.number < 1_000 ? "first" : "second") })
    #expect(found[1_000].persistentModelID == second.identifiers[0])
    // The batch contains one value twice.
    _ = try context.insert(contentsOf: ["a", "b"].map { Seal.Snapshot(number: 9_999, text: $0) })
    let last = try ModelContext(container).fetch(FetchDescriptor<Seal>(predicate: #Predicate { $0.number == 9_999 }))
    #expect(last.map(\.text) == ["b"])
  }
}
