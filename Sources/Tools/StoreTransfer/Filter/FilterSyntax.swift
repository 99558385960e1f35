import MacroExpansion
import SchemaSyntax

/// An expression from the `#Predicate` parser.
typealias FilterExpression = MacroExpansion.ExpressionSyntax

/// A filter's text and expression tree.
struct FilterSyntax {
  let text: String
  let parser: ExpressionParser
  let body: FilterExpression
  /// The closure's parameter; `nil` if the text uses `$0`.
  let parameter: String?

  private static let longestText = 20_000

  /// Reads a predicate closure's body, the closure itself, or the whole macro.
  ///
  /// - Throws: ``FilterError`` if the text is not a valid filter.
  init(_ text: String, entity: String) throws(FilterError) {
    self.text = text
    guard text.utf8.count <= Self.longestText else {
      throw FilterError("the filter has more than \(Self.longestText) bytes", at: 0, in: text)
    }
    var parser = ExpressionParser(text)
    guard !parser.isAtEnd else {
      throw FilterError("the filter is empty: write a condition such as '$0.name == \"Oslo\"'", at: 0, in: text)
    }
    do {
      var closure: ClosureSyntax?
      switch parser.token.kind {
      case .directive:
        guard parser.text(parser.token) == "#Predicate" else {
          throw MacroError("only '#Predicate' is a filter", at: Self.range(of: parser.token))
        }
        let place = Self.range(of: parser.token)
        let (arguments, found) = try parser.macro()
        if let arguments, arguments.dropFirst().dropLast().filter({ !$0.isWhitespace }) != entity {
          throw MacroError("this predicate is for '\(arguments)', and the filter for '<\(entity)>'", at: place)
        }
        closure = found
      case .leftBrace: closure = try parser.closure()
      default: break
      }
      if let closure {
        (body, parameter) = try Self.body(of: closure)
      } else {
        (body, parameter) = (try parser.expression(), nil)
      }
      if !parser.isAtEnd {
        throw MacroError(
          "unexpected '\(parser.text(parser.token).prefix(40))' after the condition", at: Self.range(of: parser.token))
      }
    } catch let error as MacroError {
      throw FilterError(error.message, at: error.range.lowerBound, in: text)
    } catch {
      throw FilterError("\(error)", at: 0, in: text)
    }
    self.parser = parser
  }

  /// Returns a closure's single expression and parameter.
  static func body(of closure: ClosureSyntax) throws(MacroError) -> (FilterExpression, String?) {
    guard closure.captures.isEmpty else {
      throw MacroError("a filter cannot capture values; write them into the condition", at: closure.range)
    }
    guard closure.parameters.map({ $0.count == 1 }) ?? true else {
      throw MacroError("the closure needs exactly one parameter", at: closure.range)
    }
    guard let statement = closure.body.first, closure.body.count == 1, case .value(let value, _) = statement.kind else {
      let place = closure.body.first { if case .value = $0.kind { false } else { true } } ?? closure.body.last
      throw MacroError(
        "a filter is a single expression, without 'let', 'if' and 'guard'", at: place?.range ?? closure.range)
    }
    return (value, closure.parameters?.first)
  }

  private static func range(of token: Token) -> Range<Int> { Int(token.start)..<max(Int(token.start), Int(token.end)) }
}
