import Testing

/// Loops without a condition, and what ends each of them. A new loop needs a bound, and an error that reports that the
/// bound was reached.
@Suite struct LoopTests {
  private static let bounds: [(file: String, ends: [String])] = [
    ("TrellisStore/Reading/Connection+Rows.swift", ["the columns: each can be marked once"]),
    ("TrellisStore/Writing/Merging.swift", ["the rows with unique values: none of them is read twice"]),
    (
      "TrellisPostgres/Connection/PostgresConnection.swift",
      ["the bytes to send, each of them within timeouts.answer", "timeouts.answer"]
    ),
    ("TrellisPostgres/Connection/PostgresError.swift", ["the callers of 'repeating': attempts or a time"]),
  ]

  @Test func everyLoopWithoutAConditionHasABound() throws {
    var found: [String: Int] = [:]
    for file in try SourceTree.files(below: "Sources/Runtime") {
      let count = file.lines.count { !$0.isComment && $0.mentions("while true") }
      if count > 0 { found[file.path.replacing("Sources/Runtime/", with: "")] = count }
    }
    #expect(found == Dictionary(uniqueKeysWithValues: Self.bounds.map { ($0.file, $0.ends.count) }))
  }
}
