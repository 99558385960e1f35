/// Reads CSV (RFC 4180) in parts of any size.
///
/// Lines end with LF, CR or CRLF. Empty lines and an initial byte order mark are skipped. A quoted field may contain
/// line breaks, commas and doubled quotation marks. Memory use depends on the longest record, not on the file size.
package struct CSVParser {
  package struct Limits: Sendable {
    /// The maximum field size in bytes, by default SQLite's maximum value size.
    package var field = 1_000_000_000
    /// The maximum number of fields in a record.
    package var fields = 2_000

    package init() {}
  }

  private enum State {
    case fieldStart, plain, quoted
    /// After a quotation mark in a quoted field: either the field's end or the first half of a doubled mark.
    case quote
    /// In invalid text between a closing quotation mark and the next separator.
    case afterQuote
  }

  private let limits: Limits
  private var state = State.fieldStart
  private var record = CSVRecord()
  /// The current line, from 1.
  private var line: Int64 = 1
  /// True after CR, so that a following LF belongs to the same line break.
  private var isAfterReturn = false
  /// The number of byte order mark bytes found so far; `nil` after the beginning of the file.
  private var markLength: Int?
  /// The file offset of the next part.
  private var partOffset: Int64

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let quotationMark = UInt8(ascii: "\"")

  /// - Parameter offset: The file offset of the first part.
  package init(limits: Limits = Limits(), at offset: Int64 = 0) {
    self.limits = limits
    markLength = offset == 0 ? 0 : nil
    partOffset = offset
    record.offset = offset
  }

  /// Reads part of the file and calls `body` with each completed record.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (CSVRecord) throws -> Void) rethrows {
    defer { partOffset += Int64(bytes.count) }
    var place = 0
    while let length = markLength, place < bytes.count {
      if bytes[place] == Self.mark[length] {
        place += 1
        markLength = length == 2 ? nil : length + 1
      } else {
        markLength = nil
        // The bytes of an incomplete mark belong to the first field.
        for byte in Self.mark.prefix(length) { add(byte) }
        if length > 0 { state = .plain }
      }
    }
    while place < bytes.count {
      if state == .plain || state == .quoted { place = addRun(bytes, from: place) }
      guard place < bytes.count else { return }
      try take(bytes[place], at: partOffset + Int64(place), body)
      place += 1
    }
  }

  /// Processes the end of the file.
  package mutating func finish(_ body: (CSVRecord) throws -> Void) rethrows {
    for byte in Self.mark.prefix(markLength ?? 0) { add(byte) }
    if let length = markLength, length > 0 { state = .plain }
    markLength = nil
    if state == .quoted { record.fail("the quoted field that begins in this record never ends") }
    try endRecord(at: partOffset, body)
  }

  /// Adds bytes up to the next possible field end, and returns that position.
  private mutating func addRun(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    if state == .quoted {
      while end < bytes.count, bytes[end] != Self.quotationMark, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    } else {
      while end < bytes.count, bytes[end] != UInt8(ascii: ","), bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    }
    guard end > start else { return end }
    isAfterReturn = false
    if record.count - record.start + end - start > limits.field {
      record.fail("a field is longer than \(limits.field) bytes")
    } else {
      record.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
    return end
  }

  private mutating func add(_ byte: UInt8) {
    if record.count - record.start >= limits.field {
      record.fail("a field is longer than \(limits.field) bytes")
    } else {
      record.append(byte)
    }
  }

  private mutating func take(
    _ byte: UInt8, at offset: Int64, _ body: (CSVRecord) throws -> Void
  ) rethrows {
    let isLineFeed = byte == 0x0A
    let isSecondHalf = isLineFeed && isAfterReturn
    isAfterReturn = byte == 0x0D
    if isLineFeed && !isSecondHalf || isAfterReturn { line += 1 }
    if state == .quoted {
      if byte == Self.quotationMark { state = .quote } else { add(byte) }
      return
    }
    switch byte {
    case 0x0A, 0x0D:
      // The record already ended with CR.
      if isSecondHalf, state == .fieldStart, record.isEmpty {
        (record.line, record.offset) = (line, offset + 1)
        return
      }
      try endRecord(at: offset, body)
    case UInt8(ascii: ","):
      endField()
      state = .fieldStart
    case Self.quotationMark where state == .fieldStart:
      record.isQuoted = true
      state = .quoted
    case Self.quotationMark where state == .quote:
      add(byte)
      state = .quoted
    default:
      if state == .quote {
        record.fail("text follows the quotation mark that ends a field")
        state = .afterQuote
      } else if state == .fieldStart {
        add(byte)
        state = .plain
      }
    }
  }

  private mutating func endField() {
    if record.fields.count == limits.fields { record.fail("there are more than \(limits.fields) fields") }
    record.endField(keeping: record.fields.count < limits.fields)
  }

  private mutating func endRecord(at offset: Int64, _ body: (CSVRecord) throws -> Void) rethrows {
    let isBlank = record.isEmpty && state == .fieldStart
    if !isBlank {
      endField()
      defer { record.clear() }
      try body(record)
    }
    record.clear()
    (record.line, record.offset) = (line, offset + 1)
    state = .fieldStart
  }
}

/// A CSV record. The buffer is reused for the next record.
package struct CSVRecord {
  package struct Field {
    package var range: Range<Int>
    /// Distinguishes `""` (empty text) from an empty field (nil).
    package var isQuoted: Bool
  }

  /// The line on which the record begins, from 1.
  package fileprivate(set) var line: Int64 = 1
  /// The file offset at which the record begins.
  package fileprivate(set) var offset: Int64 = 0
  package fileprivate(set) var fields: [Field] = []
  /// The first reason why the record cannot be used.
  package private(set) var problem: String?
  private var bytes: [UInt8] = []
  /// The current field's start position.
  fileprivate private(set) var start = 0
  fileprivate var isQuoted = false

  fileprivate var count: Int { bytes.count }
  fileprivate var isEmpty: Bool { fields.isEmpty && bytes.isEmpty && !isQuoted && problem == nil }

  /// Calls `body` with the bytes of all fields.
  package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try bytes.withUnsafeBytes(body)
  }

  /// The fields as text.
  package var texts: [String] {
    withBytes { bytes in
      fields.map { String(decoding: UnsafeRawBufferPointer(rebasing: bytes[$0.range]), as: UTF8.self) }
    }
  }

  var values: [RejectedValue] {
    withBytes { bytes in fields.map { RejectedValue(UnsafeRawBufferPointer(rebasing: bytes[$0.range])) } }
  }

  fileprivate mutating func append(_ byte: UInt8) { bytes.append(byte) }
  fileprivate mutating func append(_ part: UnsafeRawBufferPointer) { bytes.append(contentsOf: part) }

  fileprivate mutating func fail(_ reason: String) { if problem == nil { problem = reason } }

  fileprivate mutating func endField(keeping: Bool) {
    if keeping { fields.append(Field(range: start..<bytes.count, isQuoted: isQuoted)) }
    start = bytes.count
    isQuoted = false
  }

  fileprivate mutating func clear() {
    fields.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    start = 0
    isQuoted = false
    problem = nil
  }
}
