import SchemaDiagnostics

extension Lexer {
  /// An open string literal, or the code of an interpolation in it.
  private struct OpenString {
    var pounds: Int
    var isMultiline: Bool
    /// The number of open brackets in the current interpolation. 0 while reading the string's text.
    var depth = 0
  }

  /// Reads a string literal, including interpolations and the strings nested in them.
  mutating func string(from start: Int, pounds: Int) {
    var open = [openString(pounds: pounds)]
    while let current = open.last {
      guard offset < count else { return unterminated(from: start, to: count, open: open) }
      let byte = bytes[offset]
      if current.depth > 0 {
        interpolation(byte, &open)
      } else if byte == 0x22, closes(current) {
        offset += current.isMultiline ? 3 : 1
        offset += current.pounds
        open.removeLast()
      } else if byte == 0x5C, followed(by: current.pounds, at: offset + 1) {
        offset += 1 + current.pounds
        if self.byte(at: offset) == 0x28 {
          open[open.count - 1].depth = 1
          offset += 1
        } else if offset < count, bytes[offset] != 0x0A || current.isMultiline {
          offset += 1
        }
      } else if byte == 0x0A || byte == 0x0D, !current.isMultiline {
        // A single-line string ends at the end of the line, as do the strings in its interpolations.
        guard let outer = open.lastIndex(where: { $0.isMultiline }) else {
          return unterminated(from: start, to: offset, open: open)
        }
        open.removeSubrange((outer + 1)...)
        open[outer].depth = 0
      } else {
        offset += 1
      }
    }
    append(.string, from: start)
  }

  private mutating func interpolation(_ byte: UInt8, _ open: inout [OpenString]) {
    let top = open.count - 1
    switch byte {
    case 0x28:
      open[top].depth += 1
      offset += 1
    case 0x29:
      open[top].depth -= 1
      offset += 1
    case 0x22:
      open.append(openString(pounds: 0))
    case 0x23:
      let pounds = poundRun()
      if self.byte(at: offset + pounds) == 0x22 {
        offset += pounds
        open.append(openString(pounds: pounds))
      } else {
        offset += pounds
      }
    case 0x0A, 0x0D:
      if open[top].isMultiline { offset += 1 } else { open[top].depth = 0 }
    default:
      offset += 1
    }
  }

  private mutating func openString(pounds: Int) -> OpenString {
    var isMultiline = byte(at: offset + 1) == 0x22 && byte(at: offset + 2) == 0x22
    // `#"""#` is a raw string that contains a quotation mark, not the beginning of a multiline string.
    if isMultiline, pounds > 0, followed(by: pounds, at: offset + 3) { isMultiline = false }
    offset += isMultiline ? 3 : 1
    return OpenString(pounds: pounds, isMultiline: isMultiline)
  }

  private func closes(_ string: OpenString) -> Bool {
    if string.isMultiline {
      guard byte(at: offset + 1) == 0x22, byte(at: offset + 2) == 0x22 else { return false }
      return followed(by: string.pounds, at: offset + 3)
    }
    return followed(by: string.pounds, at: offset + 1)
  }

  private func followed(by pounds: Int, at start: Int) -> Bool {
    var found = 0
    while found < pounds, byte(at: start + found) == 0x23 { found += 1 }
    return found == pounds
  }

  func poundRun() -> Int {
    var end = offset
    while byte(at: end) == 0x23 { end += 1 }
    return end - offset
  }

  private mutating func unterminated(from start: Int, to end: Int, open: [OpenString]) {
    offset = end
    append(.string, from: start)
    let isMultiline = open.first?.isMultiline ?? false
    // If the string extends to the end of the file, the carets mark only its beginning.
    let shown = isMultiline ? min(start + 3 + (open.first?.pounds ?? 0), end) : end
    report(.unterminatedString(range(start, shown), isMultiline: isMultiline))
  }

  /// Reads `#"raw"#`, `#/regex/#`, `#if`, `#Unique`, or a run of number signs that begins no token.
  mutating func pound(from start: Int) {
    let pounds = poundRun()
    let next = byte(at: start + pounds)
    if next == 0x22 {
      offset = start + pounds
      string(from: start, pounds: pounds)
    } else if next == 0x2F {
      offset = start + pounds + 1
      extendedRegex(from: start, pounds: pounds)
    } else if pounds == 1, byteClass(at: start + 1) == .letter {
      offset += 1
      while byteClass(at: offset) == .letter || byteClass(at: offset) == .digit { offset += 1 }
      append(.directive, from: start)
    } else {
      offset = start + pounds
      append(.unknown, from: start)
    }
  }

  private mutating func extendedRegex(from start: Int, pounds: Int) {
    while offset < count, bytes[offset] != 0x0A {
      if bytes[offset] == 0x5C {
        offset = min(offset + 2, count)
      } else if bytes[offset] == 0x2F, followed(by: pounds, at: offset + 1) {
        offset += 1 + pounds
        break
      } else {
        offset += 1
      }
    }
    append(.regex, from: start)
  }
}

extension Diagnostic {
  fileprivate static func unterminatedString(_ range: SourceRange, isMultiline: Bool) -> Self {
    let quotes = isMultiline ? "\"\"\"" : "\""
    return Self(
      .unexpectedToken, at: range, "unterminated string literal",
      help: "end the string with '\(quotes)'")
  }
}
