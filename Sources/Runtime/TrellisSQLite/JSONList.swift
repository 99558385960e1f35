/// Encodes a captured collection as a JSON array for binding.
package enum JSONList {
  package static func text(of values: [SQLValue]) -> String {
    var text = "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      append(value, to: &text)
    }
    text += "]"
    return text
  }

  private static func append(_ value: SQLValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .integer(let integer): text += String(integer)
    case .real(let real) where real.isNaN: text += "\"NaN\""
    // JSON has no infinity, but SQLite reads numbers beyond the range of floating-point numbers as infinity.
    case .real(let real) where real.isInfinite: text += real < 0 ? "-9e999" : "9e999"
    case .real(let real): text += "\(real)"
    case .text(let string): append(string, to: &text)
    case .blob(let bytes):
      append(bytes.map { hex[Int($0 >> 4)] + hex[Int($0 & 15)] }.joined(), to: &text)
    case .list(let values): text += Self.text(of: values)
    }
  }

  private static let hex = "0123456789ABCDEF".map { String($0) }

  package static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.value < 0x20:
        text += "\\u00" + hex[Int(scalar.value >> 4)] + hex[Int(scalar.value & 15)]
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
