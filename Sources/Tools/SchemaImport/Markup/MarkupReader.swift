package import SchemaDiagnostics

/// Reads XML documents that consist of elements, attributes and text.
///
/// The reader never accesses other files. It skips document types and rejects entity declarations. Foundation's parser
/// would add a system library and some milliseconds to every command's startup.
package struct MarkupReader {
  /// The maximum nesting depth, which is deeper than any model and safe for recursion.
  static let maximumDepth = 64

  let file: SourceFile
  var offset = 0
  private let table: LineTable

  private init(_ file: SourceFile) {
    self.file = file
    table = LineTable(file)
  }

  /// Reads the root element.
  package static func read(_ file: SourceFile) throws(MarkupProblem) -> MarkupElement {
    var reader = MarkupReader(file)
    return try reader.document()
  }

  private mutating func document() throws(MarkupProblem) -> MarkupElement {
    if file.bytes.starts(with: [0xFF, 0xFE]) || file.bytes.starts(with: [0xFE, 0xFF]) {
      throw problem(at: 0, "the file is UTF-16; save it as UTF-8")
    }
    guard String(validating: file.bytes, as: UTF8.self) != nil else {
      throw problem(at: 0, "the file is not valid UTF-8")
    }
    if file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    var open: [MarkupElement] = []
    var root: MarkupElement?
    func close(_ element: MarkupElement) {
      if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
    while offset < file.bytes.count {
      let start = offset
      if peek("<!--") {
        try skip(past: "-->", from: start, what: "comment")
      } else if peek("<![CDATA[") {
        offset += 9
        let begin = offset
        try skip(past: "]]>", from: start, what: "CDATA section")
        let text = file.text(from: begin, to: offset - 3)
        guard !open.isEmpty else { throw problem(at: start, "text outside the root element") }
        open[open.count - 1].text += text
      } else if peek("<?") {
        try skip(past: "?>", from: start, what: "processing instruction")
        try checkEncoding(file.text(from: start, to: offset), start)
      } else if peek("<!") {
        try skipDocumentType()
      } else if peek("</") {
        let name = try endTag()
        guard let element = open.popLast() else {
          throw problem(at: start, "'</\(name)>' has no start tag")
        }
        guard element.name == name else {
          throw problem(
            at: start, "'</\(name)>' does not close '<\(element.name)>' in line \(element.line)")
        }
        close(element)
      } else if peek("<") {
        guard root == nil || !open.isEmpty else {
          throw problem(at: start, "only one root element is allowed")
        }
        let (element, isEmpty) = try startTag(line: table.line(at: start))
        guard open.count < Self.maximumDepth else {
          throw problem(at: start, "elements are nested more than \(Self.maximumDepth) levels deep")
        }
        if isEmpty { close(element) } else { open.append(element) }
      } else {
        let text = try self.text(until: UInt8(ascii: "<"))
        if open.isEmpty {
          guard text.allSatisfy(\.isWhitespace) else {
            throw problem(at: start, "text outside the root element; is this XML?")
          }
        } else {
          open[open.count - 1].text += text
        }
      }
    }
    if let element = open.last {
      throw problem(at: offset, "'<\(element.name)>' in line \(element.line) is not closed")
    }
    guard let root else { throw problem(at: 0, "the file contains no elements") }
    return root
  }

  func problem(at offset: Int, _ message: String) -> MarkupProblem {
    let place = table.position(at: offset)
    return MarkupProblem(file: file.path, line: place.line, column: place.column, message: message)
  }

  func peek(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { wanted in
      offset + wanted.count <= file.bytes.count
        && file.bytes[offset..<offset + wanted.count].elementsEqual(wanted)
    }
  }

  private mutating func skip(past word: StaticString, from start: Int, what: String) throws(MarkupProblem) {
    offset = min(start + 2, file.bytes.count)
    while offset < file.bytes.count {
      if peek(word) {
        offset += word.utf8CodeUnitCount
        return
      }
      offset += 1
    }
    throw problem(at: start, "unterminated \(what)")
  }

  /// Skips a document type such as `<!DOCTYPE plist PUBLIC "…" "…">` without loading it.
  private mutating func skipDocumentType() throws(MarkupProblem) {
    let start = offset
    var quote: UInt8?
    while offset < file.bytes.count {
      let byte = file.bytes[offset]
      if let mark = quote {
        if byte == mark { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "["):
          throw problem(at: offset, "entity and type declarations are not supported")
        case UInt8(ascii: ">"):
          offset += 1
          return
        default: break
        }
      }
      offset += 1
    }
    throw problem(at: start, "unterminated declaration")
  }

  private func checkEncoding(_ text: String, _ start: Int) throws(MarkupProblem) {
    guard text.hasPrefix("<?xml"), let place = text.firstRange(of: "encoding") else { return }
    let name = text[place.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\"" || $0 == "'" }
      .prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased()) else {
      throw problem(at: start, "unsupported encoding '\(name)'; save the file as UTF-8")
    }
  }
}
