import SchemaDiagnostics
import SchemaSyntax
import TestSupport

/// A random layout of a file, with different comments.
struct Mutation {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let gaps = [
    " ", "  ", "\t", "\n", "\n\n", "\n\n\n", "\r\n", "\r", " /* c */ ", "/*c*/", " // c\n", "\n// c \n", "\n/// d\n",
    "\n\n/// d\n", "\n/** d\n   * e\n */\n", "\n  /* c */ ", "\n// schema:ignore NAM001 -- c\n", "", "", ";", "; ",
  ]

  /// Returns nil if the result does not parse.
  mutating func apply(to file: SourceFile) -> SourceFile? {
    var file = file
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      for _ in 0..<4 {
        let next = step(file)
        if next != file, !Parser.parse(next, index: 0).1.hasErrors {
          file = next
          break
        }
      }
    }
    return file
  }

  private mutating func step(_ file: SourceFile) -> SourceFile {
    let (tokens, _) = Lexer.lex(file, index: 0)
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return replacing(file, "\n", with: "\r\n")
    case 1: return replacing(file, "    ", with: "\t")
    case 2: return replacing(file, "    ", with: "  ")
    case 3: return replacing(file, "\n    ", with: "\n")
    case 4: return replacing(file, ", ", with: ",")
    case 5: return replacing(file, ": ", with: " :\t")
    default: break
    }
    let index = Int.random(in: 0..<tokens.count, using: &random)
    let (start, end) = (index == 0 ? 0 : Int(tokens[index - 1].end), Int(tokens[index].start))
    if [.rightParen, .rightBracket].contains(tokens[index].kind), Bool.random(using: &random) {
      return edited(file, start..<start, ",")
    }
    let text = Self.gaps[Int.random(in: 0..<Self.gaps.count, using: &random)]
    // Replace the existing text or insert beside it.
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return edited(file, start..<end, text)
    case 1: return edited(file, start..<start, text)
    default: return edited(file, end..<end, text)
    }
  }

  private func edited(_ file: SourceFile, _ range: Range<Int>, _ text: String) -> SourceFile {
    var bytes = file.bytes
    bytes.replaceSubrange(range, with: text.utf8)
    return SourceFile(path: file.path, bytes: bytes)
  }

  private func replacing(_ file: SourceFile, _ old: String, with new: String) -> SourceFile {
    SourceFile(path: file.path, text: String(decoding: file.bytes, as: UTF8.self).replacing(old, with: new))
  }
}
