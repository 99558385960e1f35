import Foundation

/// Reads what was kept of the deleted rows of one entity.
package struct TombstoneReader: Sendable {
  /// A deleted row, by the number its entity had.
  package struct Key: Hashable {
    package var entity: Int
    package var row: Int64

    package init(entity: Int, row: Int64) {
      self.entity = entity
      self.row = row
    }
  }

  private struct Part: Sendable {
    let column: ColumnLayout
    /// Where its values begin.
    let position: Int
  }

  /// The preserved values of the rows that a transaction deleted.
  static func rows(of transaction: Int64, _ connection: Connection) throws -> [Key: [SQLValue]] {
    var values: [Key: [SQLValue]] = [:]
    let rows = try connection.rows(
      """
      SELECT "entity", "key", \(HistoryTables.values) FROM \(name: HistoryTables.tombstones)
      WHERE "transaction" = \(value: .integer(transaction)) ORDER BY "entity", "key", "part"
      """)
    for row in rows {
      guard case .integer(let entity) = row[0], case .integer(let key) = row[1] else { continue }
      values[Key(entity: Int(entity), row: key), default: []] += row.dropFirst(2)
    }
    return values
  }

  private let parts: [Part]
  private let shape: RowShape
  private let count: Int

  init(_ recorded: HistoryNames.Entity, _ plan: EntityStatements) {
    var parts: [Part] = []
    var columns = [Int32](repeating: 0, count: plan.entity.columns.count)
    var members: [Int: [Int32]] = [:]
    var position = 0
    let layout = plan.entity.definition.layout
    for preserved in recorded.preserved {
      defer { position += preserved.columns }
      guard recorded.columns.indices ~= preserved.slot,
        let property = recorded.columns[preserved.slot].flatMap(layout.property(named:)),
        plan.entity.columns.indices ~= property.slot
      else { continue }
      let column = plan.entity.columns[property.slot]
      guard column.names.count == preserved.columns,
        preserved.parts.areReadable(as: column.property.storedParts)
      else { continue }
      // Column 0 is the key.
      let first = Int32(position) + 1
      columns[column.slot] = first
      if !column.members.isEmpty {
        let start = column.names.count - column.members.count
        members[column.slot] = column.members.indices.map { first + Int32(start + $0) }
      }
      parts.append(Part(column: column, position: position))
    }
    self.parts = parts
    count = position
    shape = RowShape(
      entity: plan.entity, token: plan.token, destinations: plan.shape.destinations, columns: columns,
      members: members)
  }

  /// The values of a row, in the order of declaration; empty where nothing was kept.
  ///
  /// A value that its property's type of today cannot read is left out.
  func values(
    _ stored: [SQLValue]?, row: Int64
  ) -> [(property: ModelProperty, value: any Sendable)] {
    guard let stored, stored.count >= count, !parts.isEmpty else { return [] }
    // The values as columns of a row: what reads them is what reads models.
    var current = StatementRow(ValueCells([.integer(row)] + stored.prefix(count)), shape)
    var values: [(property: ModelProperty, value: any Sendable)] = []
    for part in parts {
      guard let value = try? value(part.column, &current) else { continue }
      values.append((part.column.property, value))
    }
    return values
  }

  private func value(_ column: ColumnLayout, _ row: inout StatementRow) throws -> (any Sendable)? {
    guard case .attribute(let type) = column.property.kind else { return nil }
    let slot = column.slot
    if column.property.isExternal {
      let data = try row.external(slot).load()
      // Nil is a value as well: that of an optional.
      return column.property.isOptional ? Self.boxed(data) : data ?? Data()
    }
    let options = column.property.attribute?.options ?? []
    if let name = options.first(where: { $0.keyword == "transformable" })?.argument {
      return try Self.transformed(type, slot, .named(name), &row)
    }
    if !column.members.isEmpty {
      let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
      guard let flattened = wrapped as? any FlattenedValue.Type else { return nil }
      return try Self.flattened(flattened, slot, isOptional: column.property.isOptional, &row)
    }
    if !options.contains(.codable), !options.contains(.json) {
      if let type = type as? any ColumnValue.Type { return try Self.value(type, slot, &row) }
      let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
      if let raw = RawValueType.of(type), let wrapped = wrapped as? any RawRepresentable.Type {
        return try Self.raw(wrapped, raw, slot, isOptional: column.property.isOptional, &row)
      }
    }
    guard let type = type as? any Codable.Type else { return nil }
    return try Self.codable(type, row.column(slot), &row)
  }

  private static func boxed(_ value: some Sendable) -> any Sendable { value }

  private static func value<T: ColumnValue>(
    _: T.Type, _ slot: Int, _ row: inout StatementRow
  ) throws -> any Sendable {
    try row.value(slot) as T
  }

  private static func flattened<T: FlattenedValue>(
    _: T.Type, _ slot: Int, isOptional: Bool, _ row: inout StatementRow
  ) throws -> any Sendable {
    guard isOptional else { return try row.flattened(slot) as T }
    return try row.flattened(slot) as T?
  }

  private static func raw<T: RawRepresentable>(
    _: T.Type, _ type: any ColumnValue.Type, _ slot: Int, isOptional: Bool, _ row: inout StatementRow
  ) throws -> any Sendable {
    let column = row.column(slot)
    if isOptional, row.isNull(column) { return Unchecked(value: T?.none).sendable }
    guard let raw = try value(type, slot, &row) as? T.RawValue, let value = T(rawValue: raw) else {
      throw row.unreadable(column, as: T.self)
    }
    return isOptional ? Unchecked(value: T?.some(value)).sendable : Unchecked(value: value).sendable
  }

  private static func codable<T: Codable>(
    _: T.Type, _ column: Int32, _ row: inout StatementRow
  ) throws -> any Sendable {
    Unchecked(value: try JSONColumn.read(&row, column) as T).sendable
  }

  private static func transformed<T>(
    _: T.Type, _ slot: Int, _ transformer: TransformerReference, _ row: inout StatementRow
  ) throws -> any Sendable {
    Unchecked(value: try row.transformed(slot, by: transformer) as T).sendable
  }
}
