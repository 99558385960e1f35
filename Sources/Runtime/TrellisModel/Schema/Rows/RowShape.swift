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
