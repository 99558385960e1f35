import SchemaDiagnostics
import SchemaSyntax

/// Mutations that mostly produce invalid schemas.
extension Mutation {
  mutating func wildText() -> [UInt8] {
    var text = Array("schema S 1.0.0\n".utf8)
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      text += corpus.declarations.randomElement(using: &random) ?? []
      text.append(0x0A)
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) { text = wild(text) }
    return text
  }

  mutating func wild(_ text: [UInt8]) -> [UInt8] {
    // Most mutations replace tokens, because random bytes rarely pass the lexer.
    if Int.random(in: 0..<5, using: &random) == 0 { return bytes(text) }
    let tokens = Lexer.lex(SourceFile(path: "", bytes: text), index: 0).0.dropLast()
    guard let token = tokens.randomElement(using: &random) else { return text }
    let range = Int(token.start)..<Int(token.end)
    var text = text
    switch Int.random(in: 0..<8, using: &random) {
    case 0: text.removeSubrange(range)
    case 1: text.insert(contentsOf: Array(text[range]) + [0x20], at: range.lowerBound)
    case 2:
      text.insert(contentsOf: (corpus.words.randomElement(using: &random) ?? []) + [0x20], at: range.lowerBound)
    case 3, 4: text.replaceSubrange(range, with: corpus.words.randomElement(using: &random) ?? [])
    case 5:
      guard let other = tokens.randomElement(using: &random) else { break }
      // A word from the same schema is more likely to be a declared name.
      text.replaceSubrange(range, with: Array(text[Int(other.start)..<Int(other.end)]))
    case 6:
      guard let other = tokens.randomElement(using: &random) else { break }
      let bounds = [Int(token.start), Int(other.start)].sorted()
      text.removeSubrange(bounds[0]..<bounds[1])
    default:
      guard let other = tokens.randomElement(using: &random) else { break }
      let bounds = [Int(token.start), Int(other.end)].sorted()
      guard bounds[1] <= text.count, text.count < 20_000 else { break }
      text.insert(contentsOf: Array(text[bounds[0]..<bounds[1]]), at: bounds[1])
    }
    return text
  }

  private mutating func bytes(_ text: [UInt8]) -> [UInt8] {
    var text = text
    guard let place = text.indices.randomElement(using: &random) else { return text }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: text[place] = UInt8.random(in: 0...255, using: &random)
    case 1: text.remove(at: place)
    case 2: text.removeSubrange(place...)
    default: text.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
    }
    return text
  }
}
