package import SchemaDiagnostics

/// A suppression comment such as `// schema:ignore REL010 -- tags are owned by the first note`.
package struct Suppression: Sendable {
  package enum Scope: Sendable, Equatable {
    /// The declaration with this index in the file's map.
    case declaration(Int)
    case file
    /// The comment applies to no declaration.
    case nothing
  }

  /// A rule's name or code, as written.
  package struct Word: Sendable {
    package var text: String
    package var range: SourceRange
  }

  package var scope: Scope
  package var words: [Word]
  /// The reason. Empty if missing.
  package var reason: String
  /// The range of the comment.
  package var range: SourceRange
  /// The range to remove together with the comment.
  package var removalRange: SourceRange
}

extension Suppression {
  private static let mark = Array("schema:ignore".utf8)

  /// True if a file contains the marker word.
  package static func isAnywhere(in file: SourceFile) -> Bool { next(in: file.bytes, from: 0) != nil }

  /// Returns a file's suppressions in source order.
  package static func read(_ tree: SyntaxTree, _ map: DeclarationMap) -> [Suppression] {
    let bytes = tree.file.bytes
    var found: [Suppression] = []
    var offset = 0
    while let place = next(in: bytes, from: offset) {
      offset = place + mark.count
      if let suppression = suppression(at: place, in: tree, map) { found.append(suppression) }
    }
    return found
  }

  private static func next(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      guard let first = mark.first, bytes.count >= mark.count else { return nil }
      var offset = start
      while offset <= bytes.count - mark.count {
        // The colon is tested first, because it is rarer than letters.
        if bytes[offset] == first, bytes[offset + 6] == 0x3A,
          bytes[offset..<offset + mark.count].elementsEqual(mark)
        {
          return offset
        }
        offset += 1
      }
      return nil
    }
  }

  private static func suppression(
    at place: Int, in tree: SyntaxTree, _ map: DeclarationMap
  ) -> Suppression? {
    let bytes = tree.file.bytes
    // The marker must begin a line comment: only two slashes and spaces precede it.
    var start = place
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    guard start >= 2, bytes[start - 1] == 0x2F, bytes[start - 2] == 0x2F else { return nil }
    start -= 2
    guard start == 0 || bytes[start - 1] != 0x2F else { return nil }
    let token = tree.token(after: start)
    guard tree.triviaStart(ofToken: token) <= start else { return nil }
    var end = place
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    var scope = Scope.nothing
    var text = place + mark.count
    if bytes[text..<end].starts(with: "-file".utf8) {
      scope = .file
      text += 5
    } else {
      // A trailing comment applies to the code before it, any other comment to the next declaration.
      let isTrailing =
        token > 0 && !bytes[tree.triviaStart(ofToken: token)..<start].contains { $0 == 0x0A || $0 == 0x0D }
      let about = isTrailing ? Int(tree.tokens[token - 1].start) : Int(tree.tokens[token].start)
      scope = map.declaration(at: about).map { .declaration($0) } ?? .nothing
      // A comment before a closing brace has no next declaration.
      if !isTrailing, tree.tokens[token].kind == .rightBrace { scope = .nothing }
    }
    guard text == end || [0x20, 0x09].contains(bytes[text]) else { return nil }
    let (words, reason) = read(tree, text, end)
    return Suppression(
      scope: scope, words: words, reason: reason,
      range: SourceRange(file: tree.fileIndex, start: start, end: end),
      removalRange: removal(start, end, in: tree))
  }

  /// Returns the range to remove: the whole line if it contains nothing else, otherwise the comment and the spaces
  /// before it.
  private static func removal(_ start: Int, _ end: Int, in tree: SyntaxTree) -> SourceRange {
    let bytes = tree.file.bytes
    var first = start
    while first > 0, bytes[first - 1] == 0x20 || bytes[first - 1] == 0x09 { first -= 1 }
    let isAlone = first == 0 || bytes[first - 1] == 0x0A || bytes[first - 1] == 0x0D
    var last = end
    if isAlone, last < bytes.count {
      last += bytes[last...].starts(with: [0x0D, 0x0A]) ? 2 : 1
    }
    return SourceRange(file: tree.fileIndex, start: first, end: last)
  }

  /// Parses the rules, and the reason after two dashes.
  private static func read(_ tree: SyntaxTree, _ start: Int, _ end: Int) -> ([Word], String) {
    let bytes = tree.file.bytes
    var words: [Word] = []
    var offset = start
    while offset < end {
      if [0x20, 0x09, 0x2C].contains(bytes[offset]) {
        offset += 1
        continue
      }
      let first = offset
      while offset < end, ![0x20, 0x09, 0x2C].contains(bytes[offset]) { offset += 1 }
      let word = tree.file.text(from: first, to: offset)
      if word.hasPrefix("--") {
        let reason = tree.file.text(from: first + 2, to: end)
        return (words, reason.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      }
      words.append(Word(text: word, range: SourceRange(file: tree.fileIndex, start: first, end: offset)))
    }
    return (words, "")
  }
}

extension Sequence<Diagnostic> {
  /// Returns the errors, and the warnings that no comment suppresses.
  package func unsuppressed(in trees: [SyntaxTree]) -> [Diagnostic] {
    let commented = trees.filter { Suppression.isAnywhere(in: $0.file) }.map { tree in
      let map = DeclarationMap(tree)
      return (file: tree.fileIndex, map: map, suppressions: Suppression.read(tree, map))
    }
    return filter { diagnostic in
      guard diagnostic.severity != .error, let found = commented.first(where: { $0.file == diagnostic.range.file })
      else { return true }
      let unit = found.map.declaration(at: diagnostic.range.start)
      return !found.suppressions.contains { suppression in
        guard suppression.scope == .file || unit.map({ suppression.scope == .declaration($0) }) ?? false else {
          return false
        }
        return suppression.words.contains { diagnostic.id.isNamed($0.text) }
      }
    }
  }
}

extension SyntaxTree {
  /// Returns the first token at or after an offset, or the end of the file.
  fileprivate func token(after offset: Int) -> Int {
    var low = 0
    var high = tokens.count - 1
    while low < high {
      let middle = (low + high) / 2
      if Int(tokens[middle].start) < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
