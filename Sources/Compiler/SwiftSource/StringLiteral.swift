/// Converts arbitrary text to Swift literals.
package enum StringLiteral {
  /// Returns `"text"`, escaping characters that would end the literal, interpolate or be invisible.
  package static func quoted(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "\0": literal += "\\0"
      default:
        if isVisible(scalar) {
          literal.unicodeScalars.append(scalar)
        } else {
          literal += "\\u{" + String(scalar.value, radix: 16) + "}"
        }
      }
    }
    return literal + "\""
  }

  /// Returns a raw multiline literal, or a quoted line if the text contains invisible characters.
  static func block(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 == 0x0A || $0 == 0x09 || ($0 >= 0x20 && $0 < 0x7F) }
    let isShowable =
      isPlain || text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isVisible($0) }
    guard isShowable else { return quoted(text) }
    let pounds = String(repeating: "#", count: longestEscape(in: text) + 1)
    return pounds + "\"\"\"\n" + text + "\n\"\"\"" + pounds
  }

  /// Returns the highest number of pound signs that follow a backslash or three quotes.
  private static func longestEscape(in text: String) -> Int {
    var longest = 0
    var quotes = 0
    var pounds: Int?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "#"):
        guard let count = pounds else { break }
        pounds = count + 1
        longest = max(longest, count + 1)
        continue
      case UInt8(ascii: "\\"):
        (quotes, pounds) = (0, 0)
        continue
      case UInt8(ascii: "\""):
        quotes += 1
        pounds = quotes >= 3 ? 0 : nil
        continue
      default: break
      }
      (quotes, pounds) = (0, nil)
    }
    return longest
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      false
    default: true
    }
  }
}
