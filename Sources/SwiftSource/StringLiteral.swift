/// Swift's spelling of arbitrary text.
enum StringLiteral {
  /// `"text"`, with everything escaped that would end the literal, interpolate, or not be seen.
  static func quoted(_ text: String) -> String {
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

  /// A raw literal of several lines; what cannot be shown falls back to one quoted line.
  static func block(_ text: String) -> String {
    let showable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isVisible($0) }
    guard showable else { return quoted(text) }
    var pounds = "#"
    while text.contains("\"\"\"" + pounds) || text.contains("\\" + pounds) { pounds += "#" }
    return pounds + "\"\"\"\n" + text + "\n\"\"\"" + pounds
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
