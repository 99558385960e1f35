import SchemaDiagnostics

/// The text of a schema put together from pieces of Swift files, and where each line of it comes from.
struct ImportedText {
  struct Origin {
    var file: Int
    /// From 1.
    var line: Int
  }

  private(set) var lines: [String] = []
  /// Nil for what the import wrote.
  private(set) var origins: [Origin?] = []

  mutating func add(_ line: String) {
    lines.append(line)
    origins.append(nil)
  }

  /// A piece of a file at the left margin.
  mutating func add(_ range: Range<Int>, of source: SwiftFile, file: Int, indent: String = "") {
    let table = LineTable(source.file)
    let first = table.line(at: range.lowerBound)
    let text = source.file.text(from: range.lowerBound, to: range.upperBound)
    // `isNewline` takes a pair of carriage return and line feed for one break.
    let pieces = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    // The first line begins behind its indentation, the last one has that of the declaration.
    let margin = pieces.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
    for (number, piece) in pieces.enumerated() {
      let line = number == 0 ? piece : String(piece.dropFirst(margin))
      lines.append(line.allSatisfy(\.isWhitespace) ? "" : indent + line)
      origins.append(Origin(file: file, line: first + number))
    }
  }

  /// Lines in front of the last line, which closes a declaration.
  mutating func insertBeforeLast(_ other: ImportedText) {
    guard let last = lines.last else { return }
    if lines.count == 1, let brace = last.lastIndex(of: "}") {
      // A declaration on one line gets one for its end.
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

  /// Lines that are to become comments, by where they come from.
  struct Removal: Equatable {
    var file: Int
    var line: Int
    var count: Int
    var why: String
  }

  var removed: [Removal] = []

  mutating func remove(_ origin: Origin, _ count: Int, why: String) {
    removed.append(Removal(file: origin.file, line: origin.line, count: count, why: why))
  }

  mutating func applyRemovals() {
    for removal in removed {
      guard let first = origins.firstIndex(where: { $0?.file == removal.file && $0?.line == removal.line })
      else { continue }
      comment(out: (first + 1)...min(first + removal.count, lines.count), why: removal.why)
    }
  }

  /// Takes the names of versions out of `SchemaV1.Trip`.
  mutating func removeQualifiers(_ versions: Set<String>) {
    guard !versions.isEmpty else { return }
    for index in lines.indices where versions.contains(where: { lines[index].contains($0 + ".") }) {
      lines[index] = Self.unqualified(lines[index], versions)
    }
  }

  private static func unqualified(_ line: String, _ versions: Set<String>) -> String {
    var result = ""
    var word = ""
    for character in line {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else if character == ".", versions.contains(word) {
        word = ""
      } else {
        result += word
        word = ""
        result.append(character)
      }
    }
    return result + word
  }

  /// Whether a declaration was put into it.
  func has(_ declaration: SwiftDeclaration, _ library: TypeLibrary) -> Bool {
    let line = LineTable(library.files[declaration.file].file).line(at: declaration.range.lowerBound)
    return origins.contains { $0?.file == declaration.file && $0?.line == line }
  }

  /// Makes comments of some lines, from 1, with the reason in front.
  private mutating func comment(out range: ClosedRange<Int>, why: String) {
    guard range.lowerBound >= 1, range.upperBound <= lines.count else { return }
    let margin = String(lines[range.lowerBound - 1].prefix { $0 == " " || $0 == "\t" })
    for line in range { lines[line - 1] = "\(margin)// \(lines[line - 1].dropFirst(margin.count))" }
    lines.insert("\(margin)// Not carried over: \(why)", at: range.lowerBound - 1)
    origins.insert(nil, at: range.lowerBound - 1)
  }

  func origin(ofLine line: Int) -> Origin? {
    origins.indices.contains(line - 1) ? origins[line - 1] : nil
  }

  var text: String { lines.joined(separator: "\n") + "\n" }
}
