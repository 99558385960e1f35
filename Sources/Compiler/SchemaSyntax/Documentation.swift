import SchemaDiagnostics

/// The doc comment before a declaration.
package struct Documentation: Sendable {
  /// The text, excluding `///` and a block's asterisks.
  package let lines: [String]
  /// The offset of the comment, or nil if there is none.
  package let start: Int?

  /// Reads the last run of doc comments in the trivia before a token. A blank line ends the run, and a comment on the
  /// previous declaration's line belongs to that declaration.
  init(before token: Int, in tree: SyntaxTree) {
    let bytes = tree.file.bytes
    let end = Int(tree.tokens[token].start)
    var offset = tree.triviaStart(ofToken: token)
    var lines: [String] = []
    var start: Int?
    var lineBreaks = offset == 0 ? 1 : 0
    func begin(_ at: Int) {
      if lineBreaks > 1 { lines = [] }
      if lines.isEmpty { start = at }
      lineBreaks = 0
    }
    while offset < end {
      let byte = bytes[offset]
      if byte == 0x0A || (byte == 0x0D && !(offset + 1 < end && bytes[offset + 1] == 0x0A)) {
        lineBreaks += 1
        offset += 1
        continue
      }
      guard byte == 0x2F, offset + 1 < end else {
        offset += 1
        continue
      }
      let isTrailing = lineBreaks == 0 && lines.isEmpty && token > 0
      let comment = Self.comment(in: tree, from: offset, to: end)
      if comment.isDocumentation, !isTrailing {
        begin(offset)
        lines += comment.lines
      } else if !comment.isDocumentation {
        if lineBreaks > 1 { lines = [] }
        lineBreaks = 0
      }
      offset = comment.end
    }
    if lineBreaks > 1 { lines = [] }
    self.lines = lines
    self.start = lines.isEmpty ? nil : start
  }

  private static func comment(
    in tree: SyntaxTree, from start: Int, to limit: Int
  ) -> (lines: [String], isDocumentation: Bool, end: Int) {
    let bytes = tree.file.bytes
    var end = start + 2
    if bytes[start + 1] == 0x2F {
      while end < limit, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      func isSlash(_ offset: Int) -> Bool { offset < end && bytes[offset] == 0x2F }
      guard isSlash(start + 2), !isSlash(start + 3) else { return ([], false, end) }
      let text = start + 3 < end && bytes[start + 3] == 0x20 ? start + 4 : start + 3
      return ([tree.file.text(from: text, to: end)], true, end)
    }
    guard bytes[start + 1] == 0x2A else { return ([], false, start + 1) }
    var depth = 1
    while end < limit, depth > 0 {
      if bytes[end] == 0x2A, end + 1 < limit, bytes[end + 1] == 0x2F {
        depth -= 1
        end += 2
      } else if bytes[end] == 0x2F, end + 1 < limit, bytes[end + 1] == 0x2A {
        depth += 1
        end += 2
      } else {
        end += 1
      }
    }
    let text = tree.file.text(from: start, to: end)
    guard text.hasPrefix("/**"), !text.hasPrefix("/**/"), text.hasSuffix("*/") else {
      return ([], false, end)
    }
    return (blockLines(text.dropFirst(3).dropLast(2)), true, end)
  }

  private static func blockLines(_ body: Substring) -> [String] {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let lines = body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      line -> String in
      var line = line.drop(while: isSpace)
      if line.first == "*" {
        line = line.dropFirst()
        if line.first == " " { line = line.dropFirst() }
      }
      while let last = line.last, isSpace(last) { line = line.dropLast() }
      return String(line)
    }
    let first = lines.firstIndex { !$0.isEmpty } ?? lines.endIndex
    let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? first
    return Array(lines[first..<end])
  }
}
