import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Text that is not in Normalization Form C keeps its original form in a second column, which other programs do not
/// update.
@Suite(.waiting) struct ChangedTextTests {
  private static let original = "cafe\u{301}"

  /// The text that another program writes, and the text that the model then reads: its original if the written text is
  /// the normalized form of the original.
  @Test(arguments: [("new", "new"), ("", ""), ("caf\u{E9}", original)])
  func externallyChangedTextTakesPrecedence(written: String, expected: String) throws {
    let server = try PostgresServer.shared.get()
    let configuration = server.configuration(schema: Schema([Seal.self]))
    let container = try ModelContainer(for: Schema([Seal.self]), configurations: [configuration])
    let context = ModelContext(container)
    let seal = Seal(number: 1, text: Self.original, note: Self.original)
    context.insert(seal)
    try context.save()
    let schemaName = try #require(configuration.schemaName)
    try server.psql("UPDATE \"\(schemaName)\".\"Seal\" SET \"text\" = '\(written)'")
    let fresh = ModelContext(container)
    let read = try #require(fresh.fetch(FetchDescriptor<Seal>()).first)
    #expect(Array(read.text.utf8) == Array(expected.utf8))
    #expect(read.note.map { Array($0.utf8) } == Array(Self.original.utf8))
    #expect(try fresh.fetchCount(FetchDescriptor<Seal>(predicate: #Predicate { $0.text == expected })) == 1)
    // The tombstone contains the same text.
    fresh.delete(read)
    try fresh.save()
    let last = try #require(fresh.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
    var buried: [[UInt8]] = []
    for case .delete(let change as DefaultHistoryDelete<Seal>) in last.changes {
      buried.append(Array((change.tombstone[\.text] as? String ?? "missing").utf8))
    }
    #expect(buried == [Array(expected.utf8)])
  }

  /// Saving one text property leaves another property's outdated original in place.
  @Test func savingOneTextKeepsExternalChangesOfAnother() throws {
    let server = try PostgresServer.shared.get()
    let configuration = server.configuration(schema: Schema([Seal.self]))
    let container = try ModelContainer(for: Schema([Seal.self]), configurations: [configuration])
    let context = ModelContext(container)
    context.insert(Seal(number: 1, text: Self.original, note: Self.original))
    try context.save()
    let schemaName = try #require(configuration.schemaName)
    try server.psql("UPDATE \"\(schemaName)\".\"Seal\" SET \"text\" = 'new'")
    let second = ModelContext(container)
    try #require(second.fetch(FetchDescriptor<Seal>()).first).note = "e\u{308}"
    try second.save()
    let read = try #require(ModelContext(container).fetch(FetchDescriptor<Seal>()).first)
    #expect(read.text == "new" && read.note.map { Array($0.utf8) } == Array("e\u{308}".utf8))
  }
}
