import Foundation
import SchemaDiagnostics
import SchemaEmitter
import SchemaModel
import SchemaSyntax

/// The meaning of files, which formatting must preserve.
struct Meaning: Equatable {
  var fingerprints: [String]
  /// The diagnostics without messages, because formatting can change the location of a missing token.
  var problems: [String]
  /// The tokens and comments of the generated Swift.
  var swift: [[String]] = []

  init(_ files: [SourceFile], isEmitted: Bool) {
    let compilation = SchemaCompiler.compile(files)
    fingerprints = compilation.schemas.flatMap { [$0.fingerprint(), $0.storageFingerprint()] }
    problems = compilation.diagnostics.filter { $0.message != "';' at the end of a line has no effect" }
      .map { "\($0.id)" }.sorted()
    guard isEmitted, !compilation.hasErrors else { return }
    let input = EmissionInput(
      schemas: compilation.schemas, files: files, module: "M", target: "M", access: .internal, root: "")
    swift = SchemaEmitter.emit(input).map { Self.text(of: $0) }
  }

  /// Returns a generated file's text without whitespace, line numbers and the copy of the schema.
  private static func text(of file: GeneratedFile) -> [String] {
    let source = SourceFile(path: file.name, bytes: file.bytes)
    let (tokens, _) = Lexer.lex(source, index: 0)
    var result: [String] = []
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      let text = source.text(from: Int(token.start), to: Int(token.end))
      if text == "#sourceLocation" {
        while index + 1 < tokens.count, tokens[index].kind != .rightParen { index += 1 }
      } else if !isOmitted(tokens, index), !(token.kind == .string && result.suffix(2) == ["text", ":"]) {
        result.append(text)
      }
      index += 1
    }
    return result + comments(in: source)
  }

  /// Returns a file's tokens, except those that formatting removes.
  static func tokens(of file: SourceFile) -> [ArraySlice<UInt8>] {
    let (tokens, _) = Lexer.lex(file, index: 0)
    return tokens.indices.filter { !isOmitted(tokens, $0) }.map {
      file.bytes[Int(tokens[$0].start)..<Int(tokens[$0].end)]
    }
  }

  private static func isOmitted(_ tokens: [Token], _ index: Int) -> Bool {
    guard tokens[index].kind == .comma, index + 1 < tokens.count else { return tokens[index].kind == .semicolon }
    return [.rightParen, .rightBracket].contains(tokens[index + 1].kind)
  }

  /// Returns the comments in order, without spaces around their lines.
  static func comments(in file: SourceFile) -> [String] {
    let (tokens, _) = Lexer.lex(file, index: 0)
    var result: [String] = []
    var start = 0
    for token in tokens {
      if file.bytes[start..<Int(token.start)].contains(0x2F) {
        result += comments(in: file.text(from: start, to: Int(token.start)))
      }
      start = Int(token.end)
    }
    return result
  }

  private static func comments(in trivia: String) -> [String] {
    var rest = trivia.replacing("\r\n", with: "\n").replacing("\r", with: "\n")[...]
    var result: [String] = []
    while let slash = rest.firstIndex(of: "/") {
      rest = rest[slash...]
      var end = rest.endIndex
      if rest.hasPrefix("/*") {
        var depth = 0
        var index = rest.startIndex
        while index < rest.endIndex {
          if rest[index...].hasPrefix("/*") {
            depth += 1
            index = rest.index(index, offsetBy: 2)
          } else if rest[index...].hasPrefix("*/") {
            depth -= 1
            index = rest.index(index, offsetBy: 2)
            if depth == 0 { break }
          } else {
            index = rest.index(after: index)
          }
        }
        end = index
      } else {
        end = rest.firstIndex(of: "\n") ?? rest.endIndex
      }
      let lines = rest[..<end].split(separator: "\n", omittingEmptySubsequences: false)
      result.append(lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n"))
      rest = rest[end...]
    }
    return result
  }
}
