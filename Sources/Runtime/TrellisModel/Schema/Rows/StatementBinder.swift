import CSQLite
public import Foundation

/// The rows of the temporary identifiers of one save, by serial number.
package typealias KeyTable = [Int64: Int64]

/// The parameters of an SQLite statement that writes one row, or a writer or a sink in its place, set by slot.
///
/// Parameter 1 is the key, the slots follow in order. Text and blobs are copied into the
/// connection's arena and stay there until the statement has been stepped.
public struct StatementBinder {
  @inlinable package static var firstParameter: Int32 { 2 }

  /// Nil unless the values go directly to SQLite.
  let statement: OpaquePointer?
  let arena: Arena?
  /// The slots to write; nil writes all.
  package var changed: PropertySet? {
    didSet {
      isPartial = changed != nil
      asked = changed?.low ?? .max
    }
  }
  /// True if some slots are left out, or if a writer takes the values.
  @usableFromInline var isPartial = false
  /// Those of the first 64 slots that are written.
  @usableFromInline var asked = UInt64.max
  var writer: (any RowWriter)?
  /// Takes the values in the form they have in a column, instead of a statement.
  private let sink: (any ColumnSink)?
  /// The permanent keys of the temporary identifiers of this save.
  let keys: KeyTable
  /// Values that require a flag of their column.
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

  /// A row whose columns a sink takes.
  ///
  /// - Parameters:
  ///   - changed: the slots to write; nil for all.
  ///   - shape: nil if none of the slots has files, member columns or references.
  package init(
    _ sink: any ColumnSink, _ changed: PropertySet?, shape: RowShape? = nil, keys: KeyTable = KeyTable()
  ) {
    self.init(statement: nil, arena: nil, shape: shape, keys: keys, sink: sink)
    self.changed = changed
    isPartial = changed != nil
    asked = changed?.low ?? .max
  }

  /// Writes the value of a type that fills one column.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  @inlinable public mutating func value<T: ColumnValue>(_ slot: Int, _ value: T) throws {
    if isPartial { return isLeftOut(slot) ? () : try partly(slot, value) }
    try value.bind(to: &self, Int32(truncatingIfNeeded: slot) &+ Self.firstParameter)
  }

  /// True for most slots of a partial row. Inlined, so that testing it takes no call.
  @inlinable func isLeftOut(_ slot: Int) -> Bool {
    slot < 64 && asked & (1 &<< UInt64(truncatingIfNeeded: slot)) == 0
  }

  /// Called and not inlined: most rows are written as a whole.
  @usableFromInline @inline(never)
  mutating func partly<T: ColumnValue>(_ slot: Int, _ value: T) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.codable(slot, value) } }
    if let parameter = parameter(slot) { try value.bind(to: &self, parameter) }
  }

  /// Writes a value of a type that is only `Codable`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.codable(slot, value) } }
    guard let parameter = parameter(slot) else { return }
    try JSONColumn.bind(value, to: &self, parameter)
  }

  /// Writes the identifier a to-one relationship leads to.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    if isPartial, let writer { return try writer.reference(slot, identifier) }
    guard let parameter = parameter(slot) else { return }
    guard let identifier, let shape else { return try bindNull(parameter) }
    try bind(shape.row(of: identifier, slot: slot, keys: keys), parameter)
  }

  /// Writes the identifiers of a to-many relationship; the lists of a statement have separate tables.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {
    if isPartial, let writer { try writer.references(slot, identifiers) }
  }

  @inline(__always) package func parameter(_ slot: Int) -> Int32? {
    if isPartial, !(changed?.contains(slot) ?? true) { return nil }
    return Int32(truncatingIfNeeded: slot) &+ Self.firstParameter
  }

  /// Returns and forgets the flags noted so far.
  package mutating func takeMarked() -> [Mark] {
    defer { marked = [] }
    return marked
  }

  @inline(never) private mutating func mark(_ kind: ColumnFlags.Kind, _ parameter: Int32) {
    let mark = Mark(kind: kind, slot: Int(parameter - Self.firstParameter))
    if !marked.contains(mark) { marked.append(mark) }
  }
}

/// What the conformances to ``ColumnValue`` are made of.
extension StatementBinder {
  /// Binds NULL.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
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
      // SQLite takes NaN for NULL.
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

  /// Binds a copy of UTF-8 text; false when it takes a closer look to know that it is NFC.
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

  /// Bytes that stay until the statement has been stepped: in the arena, or large ones as a copy that SQLite makes.
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

/// Functions for the value types of most properties. Generated code calls them instead of ``value(_:_:)``, because
/// they need no generic code in the module of the model.
extension StatementBinder {
  /// Writes a `String`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func text(_ slot: Int, _ value: String) throws { try self.value(slot, value) }

  /// Writes a `String?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalText(_ slot: Int, _ value: String?) throws { try self.value(slot, value) }

  /// Writes an `Int`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func integer(_ slot: Int, _ value: Int) throws { try self.value(slot, value) }

  /// Writes an `Int?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalInteger(_ slot: Int, _ value: Int?) throws { try self.value(slot, value) }

  /// Writes a `Double`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func real(_ slot: Int, _ value: Double) throws { try self.value(slot, value) }

  /// Writes a `Double?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalReal(_ slot: Int, _ value: Double?) throws { try self.value(slot, value) }

  /// Writes a `Bool`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func flag(_ slot: Int, _ value: Bool) throws { try self.value(slot, value) }

  /// Writes a `Date`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func date(_ slot: Int, _ value: Date) throws { try self.value(slot, value) }

  /// Writes a `Date?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalDate(_ slot: Int, _ value: Date?) throws { try self.value(slot, value) }

  /// Writes a `UUID`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func uuid(_ slot: Int, _ value: UUID) throws { try self.value(slot, value) }

  /// Writes a `Data`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func data(_ slot: Int, _ value: Data) throws { try self.value(slot, value) }

  /// Writes a `Data?`.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func optionalData(_ slot: Int, _ value: Data?) throws { try self.value(slot, value) }
}

// MARK: Forms

/// The forms of a value that only columns have.
extension StatementBinder {
  /// Binds the raw value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func raw<T: RawRepresentable & Codable>(
    _ slot: Int, _ value: T?
  ) throws where T.RawValue: ColumnValue {
    if let writer { return try UnencodableValue.locating(slot) { try writer.raw(slot, value) } }
    if let value { SeenValues.note(value) }
    try self.value(slot, value?.rawValue)
  }

  /// Binds a value of a type whose declaration the generator did not see.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func automatic<T>(_ slot: Int, _ value: T, _ form: AutomaticForm<T>) throws {
    try form.write(&self, slot, value)
  }

  /// Writes large data into a file and binds its name.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func external(_ slot: Int, _ value: ExternalData) throws {
    if let writer { return try writer.external(slot, value) }
    guard let parameter = parameter(slot) else { return }
    if let files = shape?.files, let name = try files.store(value) {
      self.files.append(name)
      return try bind(name, parameter)
    }
    try value.load().bind(to: &self, parameter)
  }

  /// Writes what the transformer makes of the value.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
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
    SeenValues.note(value)
  }

  /// Removes the files of a row that was not written after all.
  package mutating func discardFiles() {
    for name in files { shape?.files?.remove(name) }
    files = []
  }

  /// Returns and forgets the files written so far.
  package mutating func takeFiles() -> [String] {
    defer { files = [] }
    return files
  }

  /// Binds each property to its column.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
  public mutating func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws {
    if let writer { return try UnencodableValue.locating(slot) { try writer.flattened(slot, value) } }
    guard parameter(slot) != nil else { return }
    try UnencodableValue.locating(slot) { try value._$bind(to: &self, memberParameters(of: T.self, slot)) }
  }

  /// The parameters of a struct's properties. Without a shape, all have the slot's own.
  private func memberParameters<T: FlattenedValue>(of _: T.Type, _ slot: Int) -> [Int32] {
    shape?.rowEntity.properties[slot].memberParameters
      ?? T._$members.map { _ in Int32(truncatingIfNeeded: slot) &+ Self.firstParameter }
  }

  /// The same of an optional struct, whose first column says whether there is one.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value, and what encoding it throws.
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
