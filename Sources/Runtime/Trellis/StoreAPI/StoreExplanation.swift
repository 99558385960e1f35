/// A SQL store's description of a fetch.
package struct StoreExplanation {
  /// The reason why the context evaluates the filter; `sort` is the reason for the order.
  package var filter: Untranslatable?
  package var sort: Untranslatable?
  /// The statement; nil if the context filters or sorts.
  package var sql: SQLFragment?
  package var plan: [String] = []
  /// True if the statement contains only a part of the filter.
  var isNarrowed = false
}

extension SQLValue: CustomStringConvertible {
  /// The value as a SQL literal, truncated if it is long.
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
