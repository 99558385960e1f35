import Foundation
import Testing

@testable import Trellis

/// A store of an earlier release may lack columns of the internal tables. Opening it for writing adds them.
@Suite struct InternalTableTests {
  /// A store with one transaction by an author, whose history has no column for authors, as if that were new.
  private func olderStore() throws -> HistoryFixture {
    let fixture = try HistoryFixture()
    fixture.context.author = "import"
    fixture.context.insert(Item(name: "pen"))
    try fixture.context.save()
    _ = try fixture.sql(
      """
      ALTER TABLE trellis_history DROP COLUMN author;
      UPDATE trellis_metadata SET value = value - 1 WHERE key = 'internal columns';
      """)
    return fixture
  }

  @Test func openingForWritingAddsMissingColumns() throws {
    let fixture = try olderStore()
    let context = ModelContext(try fixture.another())
    context.author = "editor"
    context.insert(Item(name: "ink"))
    try context.save()
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.author) == [nil, "editor"])
    #expect(history.map { $0.changes.map(\.text) } == [["insert Item"], ["insert Item"]])
    let recorded = try fixture.sql("SELECT value FROM trellis_metadata WHERE key = 'internal columns'")
    #expect(recorded.trimmingCharacters(in: .whitespacesAndNewlines) == "\(InternalTables.columnCount)")
  }

  @Test func readingAloneReadsMissingColumnsAsNil() throws {
    let fixture = try olderStore()
    let context = ModelContext(
      try fixture.another {
        $0 = ModelConfiguration(schema: $0.schema, url: $0.url, allowsSave: false)
      })
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.author) == [nil])
    #expect(history.first?.changes.map(\.text) == ["insert Item"])
    let columns = try fixture.sql("SELECT count(*) FROM pragma_table_info('trellis_history')")
    #expect(columns.trimmingCharacters(in: .whitespacesAndNewlines) == "\(HistoryColumn.allCases.count - 1)")
  }

  /// Stores from before the number of columns was recorded have all columns of that release.
  @Test func storesWithoutTheNumberHaveTheFirstColumns() throws {
    let fixture = try HistoryFixture()
    _ = try fixture.sql("DELETE FROM trellis_metadata WHERE key = 'internal columns'")
    let metadata = try StoreMetadata(try Connection(fixture.url.path, .existing))
    #expect(metadata?.internalColumns == InternalTables.firstColumnCount)
  }

  /// A column of a later release must be optional: `ALTER TABLE ADD COLUMN` gives existing rows no value.
  @Test func newColumnsAreOptional() {
    let first: [String: Set<String>] = [
      "trellis_metadata": ["key", "value"],
      "trellis_history": ["id", "time", "author", "bundle", "process", "changes"],
      "trellis_tombstones": Set(["transaction", "entity", "key", "part"] + (0..<8).map { "v\($0)" }),
      "trellis_history_names": ["epoch", "names"],
    ]
    #expect(first.values.reduce(0) { $0 + $1.count } == Int(InternalTables.firstColumnCount))
    for table in InternalTables.all {
      guard let known = first[table.name] else { continue }
      for column in table.columns where !known.contains(column.name) {
        #expect(!column.isRequired && !column.isRowKey, "\(table.name).\(column.name)")
      }
    }
  }
}
