import CSQLite
public import Foundation

/// The row keys for a save's temporary identifiers, by serial number.
package typealias KeyTable = [Int64: Int64]

/// A SQLite statement's parameters for writing a row, set by slot. A writer or a sink can replace the statement.
///
/// Parameter 1 is the row key; the slots follow in order. Text and blobs are copied into the connection's arena, where
/// they remain until the statement has been stepped.
public struct StatementBinder {
  @inlinable package static var firstParameter: Int32 { 2 }

  /// Nil unless the values are passed directly to SQLite.
  let statement: OpaquePointer?
  let arena: Arena?
  /// The slots to write; nil for all slots.
  package var changed: PropertySet? {
    didSet {
      isPartial = changed != nil
      asked = changed?.low ?? .max
    }
  }
  /// True if some slots are omitted, or if a writer receives the values.
  @usableFromInline var isPartial = false
  /// The slots to write among the first 64.
  @usableFromInline var asked = UInt64.max
  var writer: (any RowWriter)?
  /// Receives the values in column form, in place of a statement.
  private let sink: (any ColumnSink)?
  /// The permanent row keys for the save's temporary identifiers.
  let keys: KeyTable
  /// Values that require a column flag.
  package private(set) var marked: [Mark] = []
  package let shape: RowShape?
  /// The files written for the row.
  package var files: [String] = []

  package struct Mark: Hashable {
    package var kind: ColumnFlags.Kind
    package var slot: Int
  }

  package init(
    _ statement: Statement, arena: Arena, shape: RowShape? = nil, keys: KeyTable = KeyTable()
  ) {
    self.init(statement: statement.handle, arena: arena, shape: shape, keys: keys)
  }

  package init(
    statement: OpaquePointer?, arena: Arena?, shape: RowShape? = nil, keys: KeyTable = KeyTable(),
    sink: (any ColumnSink)? = nil
  ) {
    self.statement = statement
    self.arena = arena
    self.shape = shape
    self.keys = keys
    self.sink = sink
  }

  /// Creates a row that passes columns to a sink.
  ///
  /// - Parameters:
  ///   - changed: The slots to write; nil for all slots.
  ///   - shape: Nil if no slot has files, member columns or references.
  package init(
    _ sink: any ColumnSink, _ changed: PropertySet?, shape: RowShape? = nil, keys: KeyTable = KeyTable()
  ) {
    self.init(statement: nil, arena: nil, shape: shape, keys: keys, sink: sink)
    self.changed = changed
    isPartial = changed != nil
    asked = changed?.low ?? .max
  }

  /// Writes a single-column value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  @inlinable public mutating func value<T: ColumnValue>(_ slot: Int, _ value: T) throws {
    if isPartial { return isLeftOut(slot) ? () : try partly(slot, value) }
    try value.bind(to: &self, Int32(truncatingIfNeeded: slot) &+ Self.firstParameter)
  }

  /// Returns true if a partial row omits the slot, as it does most slots. Inlined to avoid a call; slots above 63 are
  /// checked later.
  @inlinable func isLeftOut(_ slot: Int) -> Bool {
    slot < 64 && asked & (1 &<< UInt64(truncatingIfNeeded: slot)) == 0
  }

  /// Writes a value of a partial row. Not inlined, because most rows are written as a whole.
  @usableFromInline @inline(never)
  mutating func partly<T: ColumnValue>(_ slot: Int, _ value: T) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.codable(slot, value) } }
    if let parameter = parameter(slot) { try value.bind(to: &self, parameter) }
  }

  /// Writes a value that is only `Codable`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.codable(slot, value) } }
    guard let parameter = parameter(slot) else { return }
    try JSONColumn.bind(value, to: &self, parameter)
  }

  /// Writes a to-one relationship's destination identifier.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    if isPartial, let writer { return try writer.reference(slot, identifier) }
    guard let parameter = parameter(slot) else { return }
    guard let identifier, let shape else { return try bindNull(parameter) }
    try bind(shape.row(of: identifier, slot: slot, keys: keys), parameter)
  }

  /// Writes a to-many relationship's member identifiers. Statements ignore them, because lists have separate tables.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {
    if isPartial, let writer { try writer.references(slot, identifiers) }
  }

  @inline(__always) package func parameter(_ slot: Int) -> Int32? {
    if isPartial, !(changed?.contains(slot) ?? true) { return nil }
    return Int32(truncatingIfNeeded: slot) &+ Self.firstParameter
  }

  /// Returns and clears the recorded flags.
  package mutating func drainMarks() -> [Mark] {
    defer { marked = [] }
    return marked
  }

  @inline(never) private mutating func mark(_ kind: ColumnFlags.Kind, _ parameter: Int32) {
    let mark = Mark(kind: kind, slot: Int(parameter - Self.firstParameter))
    if !marked.contains(mark) { marked.append(mark) }
  }
}

/// Functions for conformances to ``ColumnValue``.
extension StatementBinder {
  /// Binds NULL.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func bindNull(_ parameter: Int32) throws {
    if let sink { return sink.bindNull(parameter) }
    sqlite3_bind_null(statement, parameter)
  }

  @inline(__always) mutating func bind(_ integer: Int64, _ parameter: Int32) throws {
    if let sink { return sink.bind(integer, parameter) }
    sqlite3_bind_int64(statement, parameter, integer)
  }

  @inline(__always) mutating func bind(_ real: Double, _ parameter: Int32) throws {
    if let sink { return sink.bind(real, parameter) }
    guard !real.isNaN else {
      // SQLite would store NaN as NULL.
      mark(.nan, parameter)
      return try bind(ascii: "NaN", parameter)
    }
    sqlite3_bind_double(statement, parameter, real)
  }

  mutating func bind(_ text: String, _ parameter: Int32) throws {
    var text = text
    let isPlain = try text.withUTF8 { try bindText(UnsafeRawBufferPointer($0), parameter) }
    if !isPlain, !text.withUTF8({ TextRules.isNFC($0) }) { mark(.nonNFC, parameter) }
  }

  mutating func bind(ascii text: StaticString, _ parameter: Int32) throws {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = try bindText(bytes, parameter)
  }

  /// Binds a copy of UTF-8 text. Returns false if the caller must check whether the text is NFC.
  @inline(__always) mutating func bindText(
    _ bytes: UnsafeRawBufferPointer, _ parameter: Int32
  ) throws -> Bool {
    if let sink {
      try sink.bind(text: bytes, parameter)
      return true
    }
    let (start, destructor) = kept(bytes)
    try check(
      sqlite3_bind_text64(
        statement, parameter, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), destructor,
        UInt8(SQLITE_UTF8)))
    return TextRules.isPlain(bytes.assumingMemoryBound(to: UInt8.self))
  }

  mutating func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) throws {
    if let sink { return sink.bind(blob: bytes, parameter) }
    let (start, destructor) = kept(bytes)
    try check(sqlite3_bind_blob64(statement, parameter, start, UInt64(bytes.count), destructor))
  }

  /// Returns bytes that remain valid until the statement has been stepped: in the arena, or as a copy made by SQLite if
  /// they are large.
  @inline(__always) private func kept(
    _ bytes: UnsafeRawBufferPointer
  ) -> (start: UnsafeRawPointer, destructor: sqlite3_destructor_type?) {
    let start = bytes.baseAddress ?? emptyBytes
    guard let arena, bytes.count <= Arena.limit else { return (start, transient) }
    let copy = arena.allocate(bytes.count)
    copy.copyMemory(from: start, byteCount: bytes.count)
    return (UnsafeRawPointer(copy), nil)
  }

  @inline(__always) private func check(_ result: Int32) throws {
    if result != SQLITE_OK { throw SQLiteError(sqlite3_db_handle(statement), result: result) }
  }
}

// MARK: Values of frequent types

/// Functions for the most frequent value types. Generated code calls them instead of ``value(_:_:)``, because they need
/// no generic code in the model's module.
extension StatementBinder {
  /// Writes a `String`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func text(_ slot: Int, _ value: String) throws { try self.value(slot, value) }

  /// Writes a `String?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func optionalText(_ slot: Int, _ value: String?) throws { try self.value(slot, value) }

  /// Writes an `Int`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func integer(_ slot: Int, _ value: Int) throws { try self.value(slot, value) }

  /// Writes an `Int?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func optionalInteger(_ slot: Int, _ value: Int?) throws { try self.value(slot, value) }

  /// Writes a `Double`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func real(_ slot: Int, _ value: Double) throws { try self.value(slot, value) }

  /// Writes a `Double?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func optionalReal(_ slot: Int, _ value: Double?) throws { try self.value(slot, value) }

  /// Writes a `Bool`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func flag(_ slot: Int, _ value: Bool) throws { try self.value(slot, value) }

  /// Writes a `Date`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func date(_ slot: Int, _ value: Date) throws { try self.value(slot, value) }

  /// Writes a `Date?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func optionalDate(_ slot: Int, _ value: Date?) throws { try self.value(slot, value) }

  /// Writes a `UUID`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func uuid(_ slot: Int, _ value: UUID) throws { try self.value(slot, value) }

  /// Writes a `Data`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func data(_ slot: Int, _ value: Data) throws { try self.value(slot, value) }

  /// Writes a `Data?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func optionalData(_ slot: Int, _ value: Data?) throws { try self.value(slot, value) }
}

// MARK: Forms

/// Value forms that exist only in columns.
extension StatementBinder {
  /// Binds the raw value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func raw<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    if let writer { return try UnencodableValue.locating(slot) { try writer.raw(slot, value) } }
    if let value { SeenValues.record(value) }
    try self.value(slot, value?.rawValue)
  }

  /// Binds a value whose type declaration the generator did not see.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func automatic<T>(_ slot: Int, _ value: T, _ form: AutomaticForm<T>) throws {
    try form.write(&self, slot, value)
  }

  /// Writes large data to a file and binds the file name.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func external(_ slot: Int, _ value: ExternalData) throws {
    if let writer { return try writer.external(slot, value) }
    guard let parameter = parameter(slot) else { return }
    if let files = shape?.files, let name = try files.store(value) {
      self.files.append(name)
      return try bind(name, parameter)
    }
    try value.load().bind(to: &self, parameter)
  }

  /// Writes the transformed value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func transformed<T>(
    _ slot: Int, _ value: T, by transformer: TransformerReference
  ) throws {
    if let writer {
      return try UnencodableValue.locating(slot) { try writer.transformed(slot, value, by: transformer) }
    }
    guard parameter(slot) != nil else { return }
    let data = try UnencodableValue.locating(slot) {
      try TransformerTable.data(of: value, by: TransformerTable.transformer(transformer))
    }
    try self.value(slot, data)
    SeenValues.record(value)
  }

  /// Removes the files for a row that was not written.
  package mutating func discardFiles() {
    for name in files { shape?.files?.remove(name) }
    files = []
  }

  /// Returns the files written so far and clears the list.
  package mutating func drainFiles() -> [String] {
    defer { files = [] }
    return files
  }

  /// Binds each property to the corresponding column.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.flattened(slot, value) } }
    guard parameter(slot) != nil else { return }
    try UnencodableValue.locating(slot) { try value._$bind(to: &self, memberParameters(of: T.self, slot)) }
  }

  /// Returns a struct's property parameters. If there is no shape, each element is the slot's own parameter.
  private func memberParameters<T: FlattenedValue>(of _: T.Type, _ slot: Int) -> [Int32] {
    shape?.rowEntity.properties[slot].memberParameters
      ?? T._$members.map { _ in Int32(truncatingIfNeeded: slot) &+ Self.firstParameter }
  }

  /// Binds each property in an optional struct. The first column indicates whether there is a value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite rejects the value, and any encoding error.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int, _ value: T?) throws {
    guard let value else {
      if let writer { return try writer.codable(slot, value) }
      guard let parameter = parameter(slot) else { return }
      return try ([parameter] + memberParameters(of: T.self, slot)).forEach { try bindNull($0) }
    }
    if writer == nil, let parameter = parameter(slot) { try bind(Int64(1), parameter) }
    try flattened(slot, value)
  }
}
