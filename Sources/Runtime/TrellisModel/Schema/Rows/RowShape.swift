import Foundation

/// The mapping between a statement's columns and an entity's slots.
@usableFromInline package final class RowShape: Sendable {
  /// The entity information required to read and write a row.
  let rowEntity: RowEntity
  /// The token for the rows' identifiers.
  package let token: IdentifierToken
  /// The tokens for the to-one destination identifiers, by slot.
  @usableFromInline package let destinations: [IdentifierToken]
  /// The column for slot 0 if the remaining columns follow in order; otherwise -1.
  @usableFromInline let firstColumn: Int32
  /// The columns by slot, used if `firstColumn` is -1.
  @usableFromInline package let columns: [Int32]
  /// The flattened structs' property columns, by slot.
  package let members: [Int: [Int32]]
  /// The external files for large data; nil if the store is in memory.
  package let files: ExternalFiles?
  /// True for rows in which required values may be NULL, because a migration's `fill` has not set them yet.
  package let isIncomplete: Bool
  /// Returns the root entity for a current or previous entity name in an identifier; nil if rows are only read.
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

  /// The shape for rows that are not read from a statement.
  package static let none = RowShape(
    rowEntity: RowEntity(name: "", properties: []), token: .interned(store: nil, entity: ""), destinations: [],
    columns: [], members: [:], files: nil, rootName: nil)

  /// Returns the stored property in a statement's column.
  package func property(inColumn column: Int32) -> RowEntity.Property? {
    let slot = columns.firstIndex(of: column) ?? members.first { $1.contains(column) }?.key
    return slot.map { rowEntity.properties[$0] }
  }

  /// Returns the row key under which a reference is stored.
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

  /// Returns true for a handwritten identifier that contains a subclass name or a former entity name. Identifiers from
  /// the store contain the name of the hierarchy's root entity.
  private func isForeignSpelling(
    _ entry: IdentifierToken.Entry, of own: IdentifierToken.Entry
  ) -> Bool {
    entry.store == own.store && rootName?(entry.entity) == own.entity
  }
}

/// The entity information required to read and write a row.
package class RowEntity: @unchecked Sendable {  // immutable, as are its subclasses
  package let name: String
  /// By column slot.
  package let properties: [Property]

  package struct Property: Sendable {
    package let name: String
    package let isOptional: Bool
    /// A flattened struct's property parameters.
    let memberParameters: [Int32]
  }

  package init(name: String, properties: [Property]) {
    self.name = name
    self.properties = properties
  }
}

/// Presents values in SQLite's form as a row's columns.
package final class ValueCells: RowCells {
  private let values: [SQLValue]
  /// The bytes of the last text or blob, valid until the next read.
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

/// A value's column form.
package final class ColumnForm: ColumnSink {
  package private(set) var value = SQLValue.null

  /// - Throws: Any error from encoding the value.
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
