/// A fragment of Swift with typed holes.
///
/// There is no interpolation for a bare `String`: a name is escaped, a literal is quoted, and text
/// that comes from a user says so where it is put in.
package struct Code: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The Swift text, its lines not yet indented for the place they end up in.
  package let text: String

  package init(stringLiteral value: String) { text = value }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// A call, one argument per line when it would not fit on one.
  package init(call callee: Code, _ arguments: [Code], labelWidth: Int = 84) {
    let width = arguments.reduce(callee.text.utf8.count + 2) { $0 + $1.text.utf8.count + 2 }
    if width <= labelWidth {
      self = "\(callee)(\(list: arguments))"
    } else {
      let lines = arguments.enumerated().map { index, argument -> Code in
        index == arguments.count - 1 ? argument : "\(argument),"
      }
      self = "\(callee)(\n  \(lines: lines)\n)"
    }
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text: String

    package init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    /// A fragment; its further lines line up with the line it is put into.
    package mutating func appendInterpolation(_ code: Code) { appendAligned(code.text) }

    package mutating func appendInterpolation(_ type: TypeRef) { text += type.text }

    package mutating func appendInterpolation(_ number: Int) { text += String(number) }

    /// An identifier, in back-ticks where it is a keyword.
    package mutating func appendInterpolation(name: String) {
      text += SwiftKeyword.escaped(name)
    }

    /// The label of an argument.
    package mutating func appendInterpolation(label: String) {
      text += SwiftKeyword.label(label)
    }

    /// The name of a parameter.
    package mutating func appendInterpolation(parameter: String) {
      text += SwiftKeyword.parameter(parameter)
    }

    /// A string literal.
    package mutating func appendInterpolation(literal: String) {
      text += StringLiteral.quoted(literal)
    }

    /// A string literal of several lines that shows the text as it is.
    package mutating func appendInterpolation(block: String) {
      text += StringLiteral.block(block)
    }

    /// One fragment per line.
    package mutating func appendInterpolation(lines: [Code]) {
      appendAligned(lines.map(\.text).joined(separator: "\n"))
    }

    /// Fragments with commas between them.
    package mutating func appendInterpolation(list: [Code]) {
      for (index, code) in list.enumerated() {
        if index > 0 { text += ", " }
        appendAligned(code.text)
      }
    }

    /// Swift written by the author of a schema: an expression, a type, a conformance.
    package mutating func appendInterpolation(carried: String) { text += carried }

    private mutating func appendAligned(_ addition: String) {
      guard addition.hasLineBreak else { return text += addition }
      let line = text.utf8.lastIndex(of: UInt8(ascii: "\n")).map { text.utf8.index(after: $0) }
      let indentation = text[(line ?? text.startIndex)...].prefix { $0 == " " }
      var isFirst = true
      let newline = UInt8(ascii: "\n")
      for part in addition.utf8.split(separator: newline, omittingEmptySubsequences: false) {
        if !isFirst { text += "\n" }
        if !isFirst, !part.isEmpty { text += indentation }
        isFirst = false
        text += Substring(part)
      }
    }
  }
}
