import SchemaDiagnostics
import SchemaSyntax

/// A declaration's text, assembled from file ranges, with the origin of each line.
struct ImportedText {
  struct Origin: Equatable {
    var file: Int
    /// The line number, starting at 1.
    var line: Int
  }

  /// A position with line and column, both starting at 0. The column counts bytes.
  struct Place {
    var line: Int
    var column: Int
  }

  private(set) var lines: [String] = []
  /// The origin of each line; nil for lines that the import wrote.
  private(set) var origins: [Origin?] = []

  mutating func add(_ text: String, from origin: Origin? = nil) {
    for line in Self.split(text) {
      lines.append(line)
      origins.append(origin)
    }
  }

  /// Appends a file range, shifted to the left margin. The given ranges are omitted.
  mutating func add(
    _ range: Range<Int>, of source: SwiftFile, file: Int, indent: String = "", without cuts: [Range<Int>] = []
  ) {
    let first = LineTable(source.file).line(at: range.lowerBound)
    var pieces = [""]
    var isCut = [false]
    var offset = range.lowerBound
    for cut in cuts + [range.upperBound..<range.upperBound] {
      for (number, line) in Self.split(source.file.text(from: offset, to: cut.lowerBound)).enumerated() {
        if number > 0 {
          pieces.append("")
          isCut.append(false)
        }
        pieces[pieces.count - 1] += line
      }
      for number in Self.split(source.file.text(from: cut.lowerBound, to: cut.upperBound)).indices {
        if number > 0 {
          pieces.append("")
          isCut.append(true)
        } else if !cut.isEmpty {
          isCut[isCut.count - 1] = true
        }
      }
      offset = cut.upperBound
    }
    // Ignore the first line when determining the margin, because the range starts after that line's indentation.
    let margin =
      pieces.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
    for (number, piece) in pieces.enumerated() {
      let line = number == 0 ? piece : String(piece.dropFirst(margin))
      let isBlank = line.allSatisfy(\.isWhitespace)
      if isBlank, isCut[number] { continue }
      lines.append(isBlank ? "" : indent + line)
      origins.append(Origin(file: file, line: first + number))
    }
  }

  /// Splits only at Swift's line breaks, because literals can contain other line separators.
  private static func split(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
  }

  /// Inserts lines before the last line, which closes the declaration.
  mutating func insertBeforeLast(_ other: ImportedText) {
    guard let last = lines.last else { return }
    if lines.count == 1, let brace = last.lastIndex(of: "}") {
      // Split a declaration on one line before its closing brace.
      var head = last[..<brace]
      while head.last == " " { head = head.dropLast() }
      lines = [String(head), "}"]
      origins = [origins[0], origins[0]]
    }
    lines.insert(contentsOf: other.lines, at: lines.count - 1)
    origins.insert(contentsOf: other.origins, at: origins.count - 1)
  }

  mutating func append(_ other: ImportedText) {
    lines += other.lines
    origins += other.origins
  }

  /// Rewrites each line.
  mutating func rewrite(_ change: (String) -> String) {
    for index in lines.indices { lines[index] = change(lines[index]) }
  }

  mutating func rewrite(line: Int, _ change: (String) -> String) {
    if lines.indices.contains(line) { lines[line] = change(lines[line]) }
  }

  mutating func removeBlank(line: Int) {
    guard lines.indices.contains(line), lines[line].allSatisfy(\.isWhitespace) else { return }
    lines.remove(at: line)
    origins.remove(at: line)
  }

  /// Returns true if the text contains the declaration.
  func has(_ declaration: SwiftDeclaration, _ library: TypeLibrary) -> Bool {
    let line = library.line(declaration.file, declaration.range.lowerBound)
    return origins.contains { $0 == Origin(file: declaration.file, line: line) }
  }

  /// Changes the text between two positions to a comment that begins with the reason. Other text on these lines
  /// remains.
  mutating func cut(from start: Place, to end: Place, why: String) {
    guard lines.indices.contains(start.line), lines.indices.contains(end.line), start.line <= end.line
    else { return }
    var range = start.line...end.line
    let margin = String(lines[start.line].prefix { $0 == " " || $0 == "\t" })
    let inner = margin.isEmpty && start.column > 0 ? "    " : margin
    let (kept, rest) = Self.cut(lines[end.line], at: end.column)
    let behind = rest.drop { $0 == " " || $0 == "\t" || $0 == ";" }
    if !behind.isEmpty, !behind.hasPrefix("//") {
      lines[end.line] = kept
      lines.insert(inner + behind, at: end.line + 1)
      origins.insert(origins[end.line], at: end.line + 1)
    }
    let (before, own) = Self.cut(lines[start.line], at: start.column)
    if !before.allSatisfy(\.isWhitespace) {
      var head = before[...]
      while head.last == " " || head.last == ";" || head.last == "\t" { head = head.dropLast() }
      lines[start.line] = String(head)
      lines.insert(inner + own, at: start.line + 1)
      origins.insert(origins[start.line], at: start.line + 1)
      range = range.lowerBound + 1...range.upperBound + 1
    }
    comment(out: range, why: why)
  }

  /// Replaces part of a line.
  mutating func replace(from start: Place, to end: Place, with text: String) {
    guard start.line == end.line, lines.indices.contains(start.line), start.column <= end.column else { return }
    let (before, _) = Self.cut(lines[start.line], at: start.column)
    let (_, behind) = Self.cut(lines[end.line], at: end.column)
    lines[start.line] = before + text + behind
  }

  /// Inserts lines before a position.
  mutating func insert(_ other: ImportedText, at place: Place) {
    guard lines.indices.contains(place.line) else { return }
    let (before, behind) = Self.cut(lines[place.line], at: place.column)
    var head = before[...]
    while head.last == " " || head.last == "\t" { head = head.dropLast() }
    let margin = String(before.prefix { $0 == " " || $0 == "\t" })
    let origin = origins[place.line]
    var more = other
    if !head.isEmpty {
      more.lines.insert(String(head), at: 0)
      more.origins.insert(origin, at: 0)
    }
    more.lines.append(margin + behind)
    more.origins.append(origin)
    lines.replaceSubrange(place.line...place.line, with: more.lines)
    origins.replaceSubrange(place.line...place.line, with: more.origins)
  }

  /// Removes part of a line.
  mutating func remove(from start: Place, to end: Place) {
    guard start.line == end.line, lines.indices.contains(start.line), start.column <= end.column else { return }
    let (before, _) = Self.cut(lines[start.line], at: start.column)
    let (_, behind) = Self.cut(lines[end.line], at: end.column)
    lines[start.line] = before + behind
    if lines[start.line].allSatisfy(\.isWhitespace) {
      lines.remove(at: start.line)
      origins.remove(at: start.line)
    }
  }

  private static func cut(_ line: String, at column: Int) -> (String, String) {
    let bytes = Array(line.utf8)
    let place = min(max(column, 0), bytes.count)
    return (String(decoding: bytes[..<place], as: UTF8.self), String(decoding: bytes[place...], as: UTF8.self))
  }

  private mutating func comment(out range: ClosedRange<Int>, why: String) {
    let margin = String(lines[range.lowerBound].prefix { $0 == " " || $0 == "\t" })
    for line in range {
      let text = lines[line].hasPrefix(margin) ? lines[line].dropFirst(margin.count) : lines[line][...]
      lines[line] = text.isEmpty ? "\(margin)//" : "\(margin)// \(text)"
    }
    lines.insert("\(margin)// Not carried over: \(why)", at: range.lowerBound)
    origins.insert(nil, at: range.lowerBound)
  }
}
