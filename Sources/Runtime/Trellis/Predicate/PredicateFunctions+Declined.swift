import CSQLite

extension PredicateFunctions {
  private static let message = "trellis: to be evaluated in memory"

  /// Lets the statement fail because a row has values SQL has no exact answer for.
  ///
  /// The predicate is then evaluated in memory, which finds out whether Swift looks at that row.
  static func decline(_ context: OpaquePointer?) { sqlite3_result_error(context, message, -1) }

  /// Whether a statement failed so.
  static func isDeclined(_ error: SQLiteError) -> Bool { error.message == message }

  /// The JSON of an array as it is; declines where SQLite's JSON would end a string, at U+0000.
  static let arrays: [Function] = [
    Function(name: "json_plain", count: 1) { context, _, arguments in
      guard let text = FunctionCall(context, arguments).bytes(0) else { return }
      if TextSearch.holdsEscapedZero(text) {
        PredicateFunctions.decline(context)
      } else {
        sqlite3_result_value(context, arguments?[0])
      }
    }
  ]
}
