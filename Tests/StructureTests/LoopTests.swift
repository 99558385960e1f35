import Testing

/// Loops without a condition, with what ends them. A new one needs a bound, and an error that says that it was reached.
@Suite struct LoopTests {
  private static let bounds: [(file: String, ends: [String])] = [
    ("Trellis/Stores/Reading/Connection+Rows.swift", ["the columns: each can be marked once"]),
    ("Trellis/Stores/Writing/Merging.swift", ["the rows with unique values: none of them is read twice"]),
    (
      "TrellisPostgres/Connection/PostgresConnection.swift",
      ["the bytes to send, each of them within timeouts.answer", "timeouts.answer"]
    ),
    ("TrellisPostgres/History/HistoryState.swift", ["mostAttempts: the conflict is thrown"]),
    ("TrellisPostgres/Migration/PostgresMigrator.swift", ["options.lockWait: StoreProblem.locked"]),
    ("TrellisPostgres/Saving/CommitInDoubt.swift", ["timeouts.pool: PostgresError.commitOutcomeUnknown"]),
    (
      "TrellisPostgres/Store/PostgresOpener.swift",
      ["one repetition after a lost connection", "mostAttempts: the conflict is thrown"]
    ),
    (
      "TrellisPostgres/Store/PostgresStore+Queries.swift",
      ["mostAttempts, one of them after a lost connection: the error is thrown"]
    ),
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
