import Foundation

/// The mapping between the columns of a statement and the slots of an entity.
@usableFromInline package final class RowShape: Sendable {
  /// The entity of the rows, as far as reading and writing a row needs it.
  let rowEntity: RowEntity
  /// Makes identifiers of the rows themselves.
  package let token: IdentifierToken
  /// Makes identifiers of the rows that to-one references point to, by slot.
  @usableFromInline package let destinations: [IdentifierToken]
  /// The column of slot 0, when the others follow it in order; -1 otherwise.
  @usableFromInline let firstColumn: Int32
  /// By slot, when `firstColumn` is -1.
  @usableFromInline package let columns: [Int32]
  /// By slot of a flattened struct: the columns of its properties.
  package let members: [Int: [Int32]]
  /// Where large data is; nil in memory.
  package let files: ExternalFiles?
  /// True for rows whose required values may be NULL, because a `fill` of the migration has not set them yet.
  package let isIncomplete: Bool
  /// The root entity of an entity that an identifier names, by its name now or before; nil where nothing is written.
  private let rootName: (@Sendable (String) -> String?)?

  package init(
    rowEntity: RowEntity, token: IdentifierToken, destinations: [IdentifierToken],
    columns: [Int32], members: [Int: [Int32]], files: ExternalFiles?,
    rootName: (@Sendable (String) -> String?)?, isIncomplete: Bool = false
  ) {
    self.isIncomplete = isIncomplete
    self.rootName = rootName
    self.members = members
    self.files = files
    self.rowEntity = rowEntity
    self.token = token
    self.destinations = destinations
    let first = columns.first ?? 0
    let isPlain = columns.enumerated().allSatisfy { $1 == first + Int32($0) }
    self.firstColumn = isPlain ? first : -1
    self.columns = columns
  }

  /// The shape of rows whose values no statement reads.
  package static let none = RowShape(
    rowEntity: RowEntity(name: "", properties: []), token: .interned(store: nil, entity: ""), destinations: [],
    columns: [], members: [:], files: nil, rootName: nil)

  /// The stored property whose value is in a column of the statement.
  package func property(inColumn column: Int32) -> RowEntity.Property? {
    let slot = columns.firstIndex(of: column) ?? members.first { $1.contains(column) }?.key
    return slot.map { rowEntity.properties[$0] }
  }

  /// The row a reference is stored as.
  package func row(of reference: PersistentIdentifier, slot: Int, keys: KeyTable) throws -> Int64 {
    if case .integer(let number) = reference.key {
      if reference.token == destinations[slot] { return number }
      if reference.isTemporary {
        if let row = keys[number] { return row }
      } else if isForeignSpelling(reference.token.entry, of: destinations[slot].entry) {
        return number
      }
    }
    throw SwiftDataError.modelValidationFailure.explained(
      "'\(rowEntity.name).\(rowEntity.properties[slot].name)' refers to \(reference), which is neither in this "
        + "store nor inserted by this save")
  }

  /// True for an identifier made by hand that names a subclass or a former name of the entity, where identifiers of
  /// the store name the root of its hierarchy.
  private func isForeignSpelling(
    _ entry: IdentifierToken.Entry, of own: IdentifierToken.Entry
  ) -> Bool {
    entry.store == own.store && rootName?(entry.entity) == own.entity
  }
}

/// An entity as far as reading and writing a row needs it.
package class RowEntity: @unchecked Sendable {  // immutable, as are its subclasses
  package let name: String
  /// By column slot.
  package let properties: [Property]

  package struct Property: Sendable {
    package let name: String
    package let isOptional: Bool
    /// The parameters of the properties of a flattened struct.
    let memberParameters: [Int32]
  }

  package init(name: String, properties: [Property]) {
    self.name = name
    self.properties = properties
  }
}

/// Values of one row in the form they have in columns, one after the other: two such rows of one model are
/// compared byte by byte.
final class RowImage: ColumnSink {
  private enum Kind: UInt64 { case null, integer, real, text, blob }

  /// The header of each value.
  private struct Head {
    var parameter: Int32
    /// The size of the bytes that follow, rounded up to whole words.
    var room: Int32
    /// The number of bytes of the value, with its kind in the lowest three bits.
    var length: UInt64

    static let size = MemoryLayout<Head>.stride
  }

  private var start: UnsafeMutableRawPointer
  private var used = 0
  private var capacity: Int

  init(capacity: Int = 512) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { start.deallocate() }

  func removeAll() { used = 0 }

  func bindNull(_ parameter: Int32) { _ = add(parameter, .null, count: 0) }

  func bind(_ integer: Int64, _ parameter: Int32) {
    add(parameter, .integer, count: 8).storeBytes(of: integer, as: Int64.self)
  }

  func bind(_ real: Double, _ parameter: Int32) {
    add(parameter, .real, count: 8).storeBytes(of: real.bitPattern, as: UInt64.self)
  }

  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) { add(parameter, .text, bytes) }

  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) { add(parameter, .blob, bytes) }

  private func add(_ parameter: Int32, _ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
    let place = add(parameter, kind, count: bytes.count)
    if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
  }

  /// Where the bytes of the next value go.
  private func add(_ parameter: Int32, _ kind: Kind, count: Int) -> UnsafeMutableRawPointer {
    let room = (count + 7) & ~7
    let end = used + Head.size + room
    if end > capacity { grow(to: end) }
    let head = Head(
      parameter: parameter, room: Int32(truncatingIfNeeded: room >> 3),
      length: UInt64(count) << 3 | kind.rawValue)
    (start + used).storeBytes(of: head, as: Head.self)
    let place = start + used + Head.size
    used = end
    return place
  }

  private func grow(to needed: Int) {
    capacity = max(needed, capacity * 2)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: start, byteCount: used)
    start.deallocate()
    start = larger
  }

  /// The slots whose values differ in an image of the same slots.
  func differing(from other: RowImage) -> PropertySet {
    var differing = PropertySet()
    var (own, its) = (0, 0)
    while own < used, its < other.used {
      let head = (start + own).load(as: Head.self)
      let otherHead = (other.start + its).load(as: Head.self)
      let isSame =
        head.parameter == otherHead.parameter && head.length == otherHead.length
        && memcmp(start + own + Head.size, other.start + its + Head.size, Int(head.length >> 3)) == 0
      if !isSame { differing.insert(Int(head.parameter - StatementBinder.firstParameter)) }
      own += Head.size + Int(head.room) << 3
      its += Head.size + Int(otherHead.room) << 3
    }
    return differing
  }
}

/// Values in SQLite's form as the columns of a row.
package final class ValueCells: RowCells {
  private let values: [SQLValue]
  /// The bytes of the last text or blob, which stay valid until the next one.
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)

  package init(_ values: [SQLValue]) { self.values = values }

  deinit { bytes.deallocate() }

  package func isNull(_ column: Int32) -> Bool { values[Int(column)] == .null }

  package func integer(_ column: Int32) -> Int64? {
    if case .integer(let number) = values[Int(column)] { number } else { nil }
  }

  package func real(_ column: Int32) -> Double? {
    switch values[Int(column)] {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .nan: .nan
    default: nil
    }
  }

  package func text(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard case .text(let text) = values[Int(column)] else { return nil }
    return keep(text.utf8)
  }

  package func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard case .blob(let blob) = values[Int(column)] else { return nil }
    return keep(blob)
  }

  package func describe(_ column: Int32) -> String { values[Int(column)].description }

  private func keep(_ contents: some Collection<UInt8>) -> UnsafeRawBufferPointer {
    bytes.deallocate()
    bytes = .allocate(byteCount: contents.count, alignment: 1)
    bytes.copyBytes(from: contents)
    return UnsafeRawBufferPointer(bytes)
  }
}

/// The form in which a column has a value.
package final class ColumnForm: ColumnSink {
  package private(set) var value = SQLValue.null

  /// - Throws: What encoding the value throws.
  package init(_ value: some ColumnValue) throws {
    var binder = StatementBinder(self, nil)
    try value.bind(to: &binder, StatementBinder.firstParameter)
  }

  package func bindNull(_ parameter: Int32) { value = .null }
  package func bind(_ integer: Int64, _ parameter: Int32) { value = .integer(integer) }
  package func bind(_ real: Double, _ parameter: Int32) { value = SQLValue(number: real) }
  package func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    value = .text(String(decoding: bytes, as: UTF8.self))
  }
  package func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) { value = .blob([UInt8](bytes)) }
}
