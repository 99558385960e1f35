import Foundation
import StoreCare
import Testing
import Trellis

@Suite struct CompactionTests {
  private func emptied() throws -> StoreUnderTest {
    let store = try StoreUnderTest("SampleTrips")
    try store.run(
      "CREATE TABLE ballast (bytes BLOB)",
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO ballast "
        + "SELECT randomblob(10000) FROM n",
      "DROP TABLE ballast")
    return store
  }

  @Test func freePagesAreReturned() throws {
    let store = try emptied()
    let report = try StoreCompaction.run(store.path)
    #expect(report.before.freePages > 200)
    #expect(report.after.freePages == 0)
    #expect(report.after.pages < report.before.pages - 200)
    #expect(report.after.logBytes == 0)
    #expect(report.after.bytes < report.before.bytes - 900_000)
    #expect(try StoreChecker.check(store.path).findings.isEmpty)
  }

  @Test func aReaderPreventsItAndNothingIsChanged() throws {
    let store = try emptied()
    // The log keeps rows that the reader does not see.
    let writer = try Connection(store.path, .existing)
    let reader = try Connection(store.path, .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.rows("SELECT count(*) FROM Trip")
    try writer.execute("CREATE TABLE later (x)")
    let before = contents(of: store.path)
    let failure = #expect(throws: CareFailure.self) { try StoreCompaction.run(store.path, timeout: 10) }
    #expect(failure?.description.contains("another process is reading from or writing to the store") == true)
    #expect(contents(of: store.path)[""] == before[""])
    try reader.execute("COMMIT")
    #expect(try StoreCompaction.run(store.path).after.freePages == 0)
  }

  @Test func aReaderOfAnEmptyLogOnlyDelaysTheLogsEnd() throws {
    let store = try emptied()
    let reader = try Connection(store.path, .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.rows("SELECT count(*) FROM Trip")
    let report = try StoreCompaction.run(store.path, timeout: 10)
    #expect(!report.isLogTruncated)
    #expect(report.after.freePages == 0)
    #expect(report.text.contains("\nThe file was compacted, but another process reads the store"))
    try reader.execute("COMMIT")
    let again = try StoreCompaction.run(store.path)
    #expect(again.isLogTruncated)
    #expect(again.after.bytes < report.before.bytes - 900_000)
  }

  @Test func aWriterPreventsIt() throws {
    let store = try emptied()
    let writer = try Connection(store.path, .existing)
    try writer.execute("BEGIN IMMEDIATE")
    let failure = #expect(throws: CareFailure.self) { try StoreCompaction.run(store.path, timeout: 10) }
    #expect(failure?.isAboutStore == true)
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
      (1_550_000_000, "1.6 GB"), (Int64.max, "9223372.0 TB"),
    ] as [(Int64, String)]) func sizesAreShortened(_ bytes: Int64, _ text: String)
  {
    #expect(ByteCount.text(bytes) == text)
  }
}
