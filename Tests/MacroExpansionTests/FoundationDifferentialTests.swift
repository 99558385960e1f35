import Foundation
import TestSupport
import Testing

@testable import MacroExpansion

/// For closures that Foundation's macro accepts, this macro builds the same tree.
@Suite struct FoundationDifferentialTests {
  @Test func sameTree() throws {
    let seed = SeededGenerator.seed(otherwise: 1)
    let wanted = Int(ProcessInfo.processInfo.environment["TRELLIS_ROUNDS"] ?? "") ?? 1_000
    let server = try FoundationMacroServer()
    var grammar = RandomExpression(seed: seed)
    var accepted = 0
    for number in 0..<wanted * 20 where accepted < wanted {
      let source = grammar.source()
      let theirs = try server.expand(source)
      guard let expansion = theirs.expandedSource, theirs.diagnostics.isEmpty else { continue }
      accepted += 1
      let ours: String
      do {
        ours = try ExpansionTree.text(of: ExpressionMacro.predicate.expansion(of: source))
      } catch {
        ours = "\(error)"
      }
      let expected: String
      do {
        expected = try ExpansionTree.text(of: expansion)
      } catch {
        Issue.record("seed \(seed), number \(number): \(source)\n\(error) in \(expansion)")
        return
      }
      guard ours == expected else {
        Issue.record("seed \(seed), number \(number): \(source)\nours:   \(ours)\ntheirs: \(expected)")
        return
      }
    }
    #expect(accepted >= wanted, "Foundation has accepted \(accepted)")
  }
}
