/// What a store that speaks SQL says about a fetch.
struct StoreExplanation {
  /// Why it leaves the filter, and the order, to the context.
  var filter: Untranslatable?
  var sort: Untranslatable?
  /// The statement, unless it leaves something to the context.
  var sql: SQLFragment?
  var plan: [String] = []
  /// Whether the statement has the beginning of the filter only.
  var isNarrowed = false
}

extension SQLValue: CustomStringConvertible {
  /// The value as SQL would spell it, shortened when it is long.
  package var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "'\(text.count > 60 ? text.prefix(60) + "…" : text[...])'"
    case .blob(let bytes): "\(bytes.count) bytes"
    case .list(let values): "a list of \(values.count)"
    }
  }
}
