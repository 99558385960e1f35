import Foundation
import SchemaDiagnostics
import SchemaSyntax
import TestSupport
import Testing

/// The syntax tree must print the exact text of any file.
@Suite struct RoundTripTests {
  @Test(arguments: SampleText.all)
  func completeFiles(text: String) {
    expectRoundTrip(Array(text.utf8))
  }

  /// Removes each token once, which covers typical omissions.
  @Test(arguments: SampleText.all)
  func filesWithOneTokenRemoved(text: String) {
    let file = SourceFile(path: "T.schema", text: text)
    let (tokens, _) = Lexer.lex(file, index: 0)
    for token in tokens where token.kind != .endOfFile {
      var bytes = file.bytes
      bytes.removeSubrange(Int(token.start)..<Int(token.end))
      expectRoundTrip(bytes)
    }
  }

  @Test(arguments: SampleText.all)
  func truncatedFiles(text: String) {
    let bytes = Array(text.utf8)
    for end in stride(from: 0, to: bytes.count, by: 7) { expectRoundTrip(Array(bytes[..<end])) }
  }

  @Test func randomBytes() {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let source = Array(SampleText.all.joined(separator: "\n").utf8)
    for _ in 0..<150 {
      var bytes = source
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2:
          bytes.insert(
            UInt8(ascii: "{}()[]<>\"'`\\#/*@;".utf8.randomElement(using: &random)), at: index)
        default:
          let end = min(bytes.count, index + Int.random(in: 0..<40, using: &random))
          bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
        }
      }
      expectRoundTrip(bytes, "seed \(seed)")
    }
    for _ in 0..<300 {
      let length = Int.random(in: 0..<200, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      expectRoundTrip(bytes, "seed \(seed)")
    }
  }

  private func expectRoundTrip(_ bytes: [UInt8], _ comment: Comment? = nil) {
    let file = SourceFile(path: "T.schema", bytes: bytes)
    let (tree, diagnostics) = Parser.parse(file, index: 0)
    #expect(tree.printed() == bytes, comment)
    for diagnostic in diagnostics {
      #expect(diagnostic.range.end <= bytes.count, comment)
    }
  }
}

extension UInt8 {
  fileprivate init(ascii byte: UInt8?) { self = byte ?? 0x20 }
}
