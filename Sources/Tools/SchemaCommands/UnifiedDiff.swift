import SchemaDiagnostics

/// Compares the old and new contents of a file in the format of `diff -u`.
package enum UnifiedDiff {
  private static let context = 3

  /// Returns the difference, or an empty string if the contents are equal. `old` is `nil` for a new file.
  package static func text(from old: [UInt8]?, to new: [UInt8], path: String) -> String {
    let before = lines(old ?? [])
    let after = lines(new)
    let edits = edits(before, after)
    let hunks = hunks(edits)
    guard !hunks.isEmpty else { return "" }
    var result = (old == nil ? "--- /dev/null\n" : "--- \(path)\n") + "+++ \(path)\n"
    for hunk in hunks { result += text(of: Array(edits[hunk])) }
    return result
  }

  /// Returns the replaced lines of the old contents, counted from 0, with their new text.
  package static func replacements(from old: [UInt8], to new: [UInt8]) -> [(lines: Range<Int>, text: String)] {
    var replacements: [(lines: Range<Int>, text: String)] = []
    var isOpen = false
    for edit in edits(lines(old), lines(new)) {
      if edit.mark != " ", !isOpen { replacements.append((edit.old..<edit.old, "")) }
      isOpen = edit.mark != " "
      guard isOpen, let last = replacements.indices.last else { continue }
      if edit.mark == "-" { replacements[last].lines = replacements[last].lines.lowerBound..<edit.old + 1 }
      if edit.mark == "+" { replacements[last].text += edit.line }
    }
    return replacements
  }

  private struct Edit {
    /// A space, a minus sign or a plus sign.
    var mark: Character
    var line: String
    /// The number of preceding lines in the old file and in the new file.
    var old: Int
    var new: Int
  }

  /// Splits file contents into lines, including line breaks.
  static func lines(_ bytes: [UInt8]) -> [String] {
    var result: [String] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == 0x0A {
      result.append(String(decoding: bytes[start...index], as: UTF8.self))
      start = index + 1
    }
    if start < bytes.count { result.append(String(decoding: bytes[start...], as: UTF8.self)) }
    return result
  }

  /// Converts the standard library's difference to edits, with removals before insertions.
  private static func edits(_ old: [String], _ new: [String]) -> [Edit] {
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var edits: [Edit] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, removed.contains(i) {
        edits.append(Edit(mark: "-", line: old[i], old: i, new: j))
        i += 1
      } else if j < new.count, inserted.contains(j) {
        edits.append(Edit(mark: "+", line: new[j], old: i, new: j))
        j += 1
      } else if i < old.count {
        edits.append(Edit(mark: " ", line: old[i], old: i, new: j))
        i += 1
        j += 1
      } else {
        break
      }
    }
    return edits
  }

  private static func hunks(_ edits: [Edit]) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in edits.indices where edits[index].mark != " " {
      let range = max(0, index - context)..<min(edits.count, index + context + 1)
      if let last = hunks.last, range.lowerBound <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private static func text(of edits: [Edit]) -> String {
    guard let first = edits.first else { return "" }
    let old = edits.count { $0.mark != "+" }
    let new = edits.count { $0.mark != "-" }
    var result = "@@ -\(span(first.old, old)) +\(span(first.new, new)) @@\n"
    for edit in edits {
      // Swift treats "\r\n" as a single character.
      let isWhole = edit.line.last?.isNewline ?? false
      result += "\(edit.mark)\(edit.line)" + (isWhole ? "" : "\n\\ No newline at end of file\n")
    }
    return result
  }

  private static func span(_ start: Int, _ count: Int) -> String {
    count == 0 ? "\(start),0" : count == 1 ? "\(start + 1)" : "\(start + 1),\(count)"
  }
}
