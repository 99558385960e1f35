import SchemaDiagnostics
import SchemaSyntax

/// Regions that an editor can fold: braces over several lines, and runs of comment lines.
enum Folding {
  struct Range: Encodable {
    var startLine: Int
    var endLine: Int
    var kind: String?
  }

  static func ranges(_ uri: String, _ state: inout ServerState) -> [Range] {
    guard let document = state.documents[uri] else { return [] }
    let tree = Formatting.tree(document)
    let lines = LineTable(document.file)
    var ranges: [Range] = []
    var open: [Int] = []
    for token in tree.tokens {
      switch token.kind {
      case .leftBrace: open.append(Int(token.start))
      case .rightBrace:
        guard let start = open.popLast() else { continue }
        // The line with the closing brace remains visible.
        add(lines.line(at: start) - 1, lines.line(at: Int(token.start)) - 2, nil)
      default: break
      }
    }
    var first: Int?
    let count = lines.starts.count
    for line in 1...count + 1 {
      let isComment = line <= count && Self.isComment(line, document.file, lines)
      if isComment, first == nil { first = line }
      guard !isComment, let start = first else { continue }
      add(start - 1, line - 2, "comment")
      first = nil
    }
    func add(_ start: Int, _ end: Int, _ kind: String?) {
      if start < end { ranges.append(Range(startLine: start, endLine: end, kind: kind)) }
    }
    return ranges.sorted { ($0.startLine, $0.endLine) < ($1.startLine, $1.endLine) }
  }

  private static func isComment(_ line: Int, _ file: SourceFile, _ lines: LineTable) -> Bool {
    let bytes = file.bytes[lines.range(ofLine: line, in: file)].drop { $0 == 0x20 || $0 == 0x09 }
    return bytes.starts(with: [0x2F, 0x2F])
  }
}
