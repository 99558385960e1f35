/// A replacement of a range in a file. If the range is empty, the edit is an insertion.
package struct TextEdit: Sendable, Hashable {
  package var range: SourceRange
  package var replacement: String

  package init(_ range: SourceRange, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }
}

/// A set of edits that the author can accept as a whole.
package struct FixIt: Sendable, Hashable {
  package var title: String
  package var edits: [TextEdit]

  package init(_ title: String, _ edits: [TextEdit]) {
    self.title = title
    self.edits = edits
  }

  package static func replace(_ range: SourceRange, with text: String, title: String) -> FixIt {
    FixIt(title, [TextEdit(range, text)])
  }

  package static func remove(_ range: SourceRange, title: String) -> FixIt {
    FixIt(title, [TextEdit(range, "")])
  }

  package static func insert(_ text: String, at range: SourceRange, title: String) -> FixIt {
    let point = SourceRange(file: range.file, start: range.start, end: range.start)
    return FixIt(title, [TextEdit(point, text)])
  }
}

extension SourceFile {
  /// Returns the file with its edits applied.
  ///
  /// Edits are applied in source order. Duplicates and edits that overlap an earlier edit are skipped, so the result
  /// does not depend on the input order.
  package func applying(_ edits: [TextEdit], file index: Int) -> SourceFile {
    let own = edits.filter { $0.range.file == index }.ordered {
      $0.range == $1.range ? $0.replacement < $1.replacement : $0.range < $1.range
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var offset = 0
    var previous: TextEdit?
    for edit in own where edit != previous {
      let start = edit.range.start
      let end = min(edit.range.end, bytes.count)
      guard start >= offset, start <= end else { continue }
      result.append(contentsOf: bytes[offset..<start])
      result.append(contentsOf: edit.replacement.utf8)
      offset = end
      previous = edit
    }
    result.append(contentsOf: bytes[offset...])
    return SourceFile(path: path, bytes: result, swift: swift)
  }
}
