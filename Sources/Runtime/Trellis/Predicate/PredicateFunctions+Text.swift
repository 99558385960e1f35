import CSQLite
import Foundation

extension PredicateFunctions {
  /// Comparisons by the rules of a language, and keys to sort by.
  static let localized: [Function] = [
    Function(name: "swift_localized_contains", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).test {
        LocalizedText.contains(TextSearch.string($0), TextSearch.string($1))
      }
    },
    Function(name: "swift_compare", count: 3) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      guard let text = call.bytes(0), let other = call.bytes(1), let name = call.bytes(2),
        let function = LocalizedText(rawValue: TextSearch.string(name))
      else { return }
      let result = function.compare(TextSearch.string(text), TextSearch.string(other))
      sqlite3_result_int(context, Int32(result.rawValue))
    },
    Function(name: "swift_text_key", count: 2) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      let number = sqlite3_value_int64(arguments?[1])
      guard let text = call.bytes(0), let order = TextOrder(rawValue: Int(number)) else { return }
      call.give(TextKey.bytes(of: TextSearch.string(text), order))
    },
  ]
}

extension FunctionCall {
  func give(_ bytes: [UInt8]) {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    bytes.withUnsafeBytes {
      if let start = $0.baseAddress {
        sqlite3_result_blob(context, start, Int32($0.count), copied)
      } else {
        sqlite3_result_zeroblob(context, 0)
      }
    }
  }
}
