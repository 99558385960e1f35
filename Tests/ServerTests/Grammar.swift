import Foundation

/// A TextMate grammar, as far as the grammar in `Editors` uses the format.
final class Grammar {
  /// A piece of text with the names of its scopes, outermost first.
  struct Piece: Equatable {
    var text: String
    var scopes: [String]
  }

  private final class Rule: Decodable {
    var include: String?
    var name: String?
    var contentName: String?
    var match: String?
    var begin: String?
    var end: String?
    var captures: [String: Rule]?
    var beginCaptures: [String: Rule]?
    var endCaptures: [String: Rule]?
    var patterns: [Rule]?
  }

  private struct Contents: Decodable {
    var patterns: [Rule]
    var repository: [String: Rule]
  }

  private struct Open {
    var rule: Rule
    var end: NSRegularExpression
  }

  private let contents: Contents

  init(_ url: URL) throws { contents = try JSONDecoder().decode(Contents.self, from: Data(contentsOf: url)) }

  /// Splits text into pieces.
  ///
  /// - Returns: The pieces of each line, and the names of regions that are open at the end.
  func pieces(_ text: String) throws -> (lines: [[Piece]], open: [String]) {
    var open: [Open] = []
    var lines: [[Piece]] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(try pieces(of: String(line), &open))
    }
    return (lines, open.map { $0.rule.name ?? $0.rule.begin ?? "" })
  }

  private func pieces(of line: String, _ open: inout [Open]) throws -> [Piece] {
    let text = line as NSString
    var pieces: [Piece] = []
    var place = 0
    var steps = 0
    func add(_ end: Int, _ more: [String] = [], content: Bool = true) {
      guard end > place else { return }
      let scopes = open.flatMap { [$0.rule.name, $0.rule.contentName].compactMap(\.self) }
      pieces.append(
        Piece(text: text.substring(with: NSRange(location: place, length: end - place)), scopes: scopes + more))
      place = end
    }
    while place <= text.length {
      steps += 1
      guard steps < 10_000 else { throw Failure(description: "the grammar loops in '\(line)'") }
      let range = NSRange(location: place, length: text.length - place)
      func first(_ expression: NSRegularExpression) -> NSTextCheckingResult? {
        expression.firstMatch(in: line, options: [.withTransparentBounds, .withoutAnchoringBounds], range: range)
      }
      var best: (result: NSTextCheckingResult, rule: Rule?)?
      if let end = open.last.flatMap({ first($0.end) }) { best = (end, nil) }
      for rule in try rules(open.last?.rule.patterns ?? (open.isEmpty ? contents.patterns : [])) {
        guard let pattern = rule.match ?? rule.begin, let result = try first(expression(pattern)) else { continue }
        if best.map({ result.range.location < $0.result.range.location }) ?? true { best = (result, rule) }
      }
      guard let (result, rule) = best else { break }
      add(result.range.location)
      let matchEnd = result.range.location + result.range.length
      if let rule {
        if let pattern = rule.end {
          // `\1` is the text of the first capture.
          let captured = result.numberOfRanges > 1 && result.range(at: 1).location != NSNotFound
          let first = captured ? text.substring(with: result.range(at: 1)) : ""
          let end = pattern.replacing("\\1", with: NSRegularExpression.escapedPattern(for: first))
          open.append(Open(rule: rule, end: try expression(end)))
          capture(result, rule.beginCaptures ?? rule.captures, matchEnd)
        } else {
          capture(result, rule.captures, matchEnd, rule.name)
          if result.range.length == 0 { place += 1 }
        }
      } else {
        capture(result, open.last?.rule.endCaptures ?? open.last?.rule.captures, matchEnd)
        open.removeLast()
      }
      func capture(_ result: NSTextCheckingResult, _ captures: [String: Rule]?, _ end: Int, _ name: String? = nil) {
        let own = name.map { [$0] } ?? []
        for number in 1..<max(1, result.numberOfRanges) {
          let range = result.range(at: number)
          guard range.location != NSNotFound, range.location >= place, let scope = captures?["\(number)"]?.name else {
            continue
          }
          add(range.location, own)
          add(range.location + range.length, own + [scope])
        }
        add(end, own)
      }
    }
    add(text.length)
    return pieces
  }

  /// Replaces references to the repository by its rules. Rules of other grammars are unknown.
  private func rules(_ patterns: [Rule]) throws -> [Rule] {
    try patterns.flatMap { rule -> [Rule] in
      guard let name = rule.include else {
        return rule.match == nil && rule.begin == nil ? try rules(rule.patterns ?? []) : [rule]
      }
      guard name.hasPrefix("#") else { return [] }
      guard let target = contents.repository[String(name.dropFirst())] else {
        throw Failure(description: "the repository has no '\(name)'")
      }
      return try rules([target])
    }
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  private var known: [String: NSRegularExpression] = [:]

  private func expression(_ pattern: String) throws -> NSRegularExpression {
    if let expression = known[pattern] { return expression }
    let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
    known[pattern] = expression
    return expression
  }
}
