import Foundation
import SchemaSyntax
import TestSupport
import Testing

@testable import MacroExpansion

/// This macro must build the same tree as Foundation's macro for all closures that Foundation's macro accepts.
@Suite struct FoundationDifferentialTests {
  @Test func randomClosuresHaveFoundationsTree() throws {
    let seed = SeededGenerator.seed(otherwise: 1)
    let wanted = Repetitions.scaled(100)
    let server = try FoundationMacroServer()
    var grammar = RandomExpression(seed: seed)
    var accepted = 0
    for number in 0..<wanted * 20 where accepted < wanted {
      let source = grammar.source()
      let theirs = try server.expand(source)
      guard let expansion = theirs.expandedSource, theirs.diagnostics.isEmpty else { continue }
      // There is no node for concatenated strings, so Swift rejects the tree of Foundation's macro.
      guard !source.contains(/"#*\s*\+|\+\s*#?"/) else { continue }
      accepted += 1
      if let difference = difference(source, expansion) {
        Issue.record("seed \(seed), number \(number): \(difference)")
        return
      }
    }
    #expect(accepted >= wanted, "Foundation has accepted \(accepted)")
  }

  /// Compares the predicates in all other tests, including the 62 typical ones in `ShapeTests`. A short run compares
  /// all predicates in `ShapeTests`, but only every fourth of the others.
  @Test func predicatesInTestsHaveFoundationsTree() throws {
    let server = try FoundationMacroServer()
    let tests = Repository.root.appending(path: "Tests")
    var accepted = 0
    var shapes = 0
    var found = 0
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      // Some predicates in these files do not compile with Foundation's macro.
      guard !["MacroTests", "TripFilters"].contains(where: file.lastPathComponent.hasPrefix) else { continue }
      let isShape = file.lastPathComponent.hasPrefix("ShapeTests")
      for source in predicates(in: try String(contentsOf: file, encoding: .utf8)) {
        found += 1
        guard Repetitions.isThorough || isShape || found % 4 == 0 else { continue }
        let theirs = try server.expand(source)
        guard let expansion = theirs.expandedSource, theirs.diagnostics.isEmpty else { continue }
        accepted += 1
        if isShape { shapes += 1 }
        if let difference = difference(source, expansion) { Issue.record("\(file.lastPathComponent): \(difference)") }
      }
    }
    #expect(
      accepted > (Repetitions.isThorough ? 500 : 150) && shapes > 62,
      "Foundation has accepted \(accepted), \(shapes) of ShapeTests")
  }

  /// Returns the source of each predicate, from `#Predicate` to the end of the closure.
  private func predicates(in text: String) -> [String] {
    text.ranges(of: "#Predicate").compactMap { range in
      let parser = ExpressionParser(String(text[range.lowerBound...]))
      var copy = parser
      while copy.token.kind != .leftBrace, copy.token.kind != .rightBrace, !copy.isAtEnd { copy.advance() }
      guard copy.token.kind == .leftBrace else { return nil }
      copy.skipBalanced()
      let source = copy.text(0..<Int(copy.tokens[copy.position - 1].end))
      // The closure is an argument in parentheses.
      return source.contains("({") ? source + ")" : source
    }
  }

  /// Returns the trees of both macros, or nil if they are equal.
  private func difference(_ source: String, _ expansion: String) -> String? {
    let ours: String
    do {
      ours = try ExpansionTree.text(of: ExpressionMacro.predicate.expansion(of: source))
    } catch {
      ours = "\(error)"
    }
    do {
      let theirs = try ExpansionTree.text(of: expansion)
      return ours == theirs ? nil : "\(source)\nours:   \(ours)\ntheirs: \(theirs)"
    } catch {
      return "\(source)\n\(error) in \(expansion)"
    }
  }
}
