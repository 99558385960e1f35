import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Database schemas with all kinds of names that PostgreSQL allows.
@Suite(.waiting) struct SchemaNameTests {
  private static let schema = Schema([Journey.self, JourneyStop.self])

  private static func container(_ name: String) throws -> ModelContainer {
    var configuration = PostgresConfiguration(url: try PostgresServer.shared.get().url())
    configuration.schemaName = name
    return try ModelContainer(for: schema, configurations: [configuration])
  }

  private static let long = String(repeating: "long ", count: 20)

  /// Two stores in two schemas of one database do not see each other. The schema names differ in case, in Unicode
  /// normalization, or beyond the 63 bytes that the server keeps.
  @Test(arguments: [
    ("North Sea", "north sea"), ("a\"b", "a\"\"b"), ("a.b", "a"), ("'; DROP SCHEMA public; --", "$1"),
    ("Størhavn 雪", "sto\u{308}r"), ("e\u{301}", "é"), ("select", "TABLE"), ("?1 ? $2", "\\"), ("\t\n\u{1}", "\u{7F}"),
    (long + "1", long + "2"),
  ]) func storesAreSeparate(first: String, second: String) throws {
    let suffix = " \(UInt32.random(in: 0...UInt32.max))"
    let names = first == Self.long + "1" ? [suffix + first, suffix + second] : [first + suffix, second + suffix]
    let contexts = try names.map { ModelContext(try Self.container($0)) }
    for (name, context) in zip(names, contexts) {
      for number in 0..<20 { context.insert(Journey(code: "\(number)", name: name)) }
      try context.save()
      context.delete(try #require(context.fetch(FetchDescriptor<Journey>()).first))
      try context.save()
    }
    for (name, context) in zip(names, contexts) {
      let wanted = FetchDescriptor<Journey>(predicate: #Predicate { $0.name == name })
      #expect(try context.fetchCount(wanted) == 19 && context.fetchCount(FetchDescriptor<Journey>()) == 19)
      #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 2)
      // Opening the store again finds the same contents.
      let again = ModelContext(try Self.container(name))
      #expect(try again.fetchCount(FetchDescriptor<Journey>()) == 19)
    }
    try contexts[0].container.erase()
    #expect(try contexts[0].fetchCount(FetchDescriptor<Journey>()) == 0)
    #expect(try contexts[1].fetchCount(FetchDescriptor<Journey>()) == 19)
  }

  /// If no schema can have the name, the error says so.
  @Test(arguments: ["", "a\0b", "a\u{1F}b", "pg_own"]) func invalidSchemaNames(name: String) throws {
    #expect { _ = try Self.container(name) } throws: { error in
      let error = error as? PostgresError
      return error?.code == .invalidConfiguration || error?.sqlState == "42939"
    }
  }
}
