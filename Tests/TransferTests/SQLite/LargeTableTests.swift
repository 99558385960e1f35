import StoreTransfer
import Testing
import Trellis

/// Tables that are read in two parts.
@Suite struct LargeTableTests {
  /// Row numbers from -50,000 to 49,900. The second part begins in the middle.
  @Test func bothPartsOfATableCount() throws {
    let source = try SQLiteSource(
      "s.db",
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, amount INTEGER);
      INSERT INTO items
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      SELECT i * 100 - 50000, CASE i WHEN 0 THEN 'few' WHEN 500 THEN 2.5 WHEN 999 THEN 'many' ELSE i END FROM n;
      """)
    #expect(
      try source.draft().notes.map(\.text).contains(
        "items.amount: check: contains 997 integers, 1 real, 2 texts, for example 'few' and 1 and 2.5; "
          + "values that do not fit the type are rejected"))
    let copy = try source.copy(keepsRejects: true)
    #expect(
      copy.rejects.map(\.text) == [
        "items row -50000, amount: 'few' is not a number", "items row 49900, amount: 'many' is not a number",
      ])
    #expect(copy.report.isComplete)
    #expect(copy.report.tables.map(\.found) == [1000])
    #expect(copy.report.tables.map(\.written) == [998])
    #expect(try copy.rows("SELECT amount FROM Item WHERE id = 0") == [[.real(2.5)]])
  }
}
