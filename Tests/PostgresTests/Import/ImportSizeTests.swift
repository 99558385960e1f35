import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis

@testable import PostgresCommands

/// Imports of many and of large rows.
@Suite(.waiting) struct ImportSizeTests {
  /// 100,000 rows with 130 MB of text are imported by a process that may use much less memory.
  @Test func manyRowsNeedLittleMemory() throws {
    let source = try ImportSource(
      """
      CREATE TABLE events (id bigint PRIMARY KEY, kind int NOT NULL, body text NOT NULL, parent bigint REFERENCES events);
      INSERT INTO events SELECT n, n % 7, repeat(md5(n::text), 40), nullif(n / 10, 0) FROM generate_series(1, 100000) n;
      """)
    let tool = Program.tool("trellis-postgres", target: "PostgresTool").path
    let process = Program.command(
      "bash",
      [
        "-c",
        "ulimit -d 65536 && cd \"$1\" && exec \"$0\" import --from postgres \"$2\" --name Shop --into copy.store 2>&1",
        tool, source.folder.path, source.url(),
      ])
    let output = try Program.output(of: process)
    #expect(process.terminationStatus == 0, "\(output)")
    #expect(output.contains("events -> Event: 100000 rows, checksums equal"))
    let store = try Connection(source.store.path, .readOnly)
    let sums = "SELECT count(*), sum(kind), sum(length(body)), sum(parent) FROM"
    let expected = try source.psql("\(sums) events").split(separator: "|").compactMap { Int64($0) }
    #expect(try store.rows(verbatim: "\(sums) Event") == [expected.map { .integer($0) }])
    #expect(expected.count == 4)
  }

  /// A block of rows stays small, whatever the rows' lengths are.
  @Test(arguments: [
    ("SELECT repeat('x', 10) FROM generate_series(1, 30000)", false, 30_000, 2_048 * 10),
    ("SELECT repeat('x', 1000000) FROM generate_series(1, 60)", true, 60, 32_000_000),
    ("SELECT repeat('x', (n / 50) * 200000) FROM generate_series(1, 299) n", true, 299, 64_000_000),
    ("SELECT 'x' WHERE false", false, 0, 0),
  ])
  func blocksAreSmall(_ query: String, _ isWide: Bool, _ count: Int, _ limit: Int) throws {
    let source = try ImportSource("CREATE TABLE t (id int)")
    let connection = try ImportConnection(source.url())
    var (rows, largest) = (0, 0)
    try connection.read(SQLFragment(stringLiteral: query), isWide: isWide) { block in
      rows += block.count
      largest = max(largest, block.reduce(0) { $0 + ($1[0].string?.utf8.count ?? 0) })
    }
    #expect(rows == count)
    #expect(largest <= limit, "\(largest)")
    // The cursor is closed, so that the next table can be read.
    try connection.read("SELECT 1", isWide: false) { rows += $0.count }
    #expect(rows == count + 1)
  }
}
