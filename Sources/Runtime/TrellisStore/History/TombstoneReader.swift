import Foundation

/// Reads preserved values of an entity's deleted rows.
package struct TombstoneReader: Sendable {
  private let preserved: [ColumnLayout]
  private let shape: RowShape
  /// The number of values per row.
  private let count: Int

  init(_ recorded: HistoryNames.Entity, _ plan: EntityStatements) {
    var found: [ColumnLayout] = []
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
      found.append(column)
    }
    preserved = found
    count = position
    shape = RowShape(
      entity: plan.entity, token: plan.token, destinations: plan.shape.destinations, columns: columns,
      members: members)
  }

  /// Returns a row's values in declaration order; empty if nothing was preserved.
  ///
  /// Values that the property's current type cannot read are omitted.
  func tombstone<M: PersistentModel>(_ stored: [SQLValue]?, row: Int64) -> HistoryTombstone<M> {
    guard let stored, stored.count >= count, !preserved.isEmpty else { return HistoryTombstone([]) }
    // Presents the values as row columns, so that the code for reading models can read them.
    var current = StatementRow(ValueCells([.integer(row)] + stored.prefix(count)), shape)
    return HistoryTombstone(
      preserved.compactMap { column in
        guard let path = column.property.path(of: M.self), let value = try? value(column, &current) else { return nil }
        return (keyPath: path, value: value)
      })
  }

  private func value(_ column: ColumnLayout, _ row: inout StatementRow) throws -> (any Sendable)? {
    guard case .attribute(let type) = column.property.kind else { return nil }
    let slot = column.slot
    let options = column.property.attribute?.options ?? []
    let wrapped = wrappedType(of: type)
    // Nil is a valid value for an optional property.
    if row.isNull(row.column(slot)), let none = Self.none(type) { return none }
    if column.property.isExternal { return Self.declared(try row.external(slot).load() ?? Data(), column) }
    if let name = options.first(where: { $0.keyword == "transformable" })?.argument {
      return try Self.transformed(type, slot, .named(name), &row)
    }
    if !column.members.isEmpty {
      guard let type = wrapped as? any FlattenedValue.Type else { return nil }
      return try Self.flattened(type, column, &row)
    }
    if !options.contains(.codable), !options.contains(.json) {
      if let type = type as? any ColumnValue.Type { return try Self.plain(type, slot, &row) }
      if let raw = RawValueType.of(type), let type = wrapped as? any RawRepresentable.Type {
        return try Self.enumeration(type, raw, column, &row)
      }
    }
    guard let type = type as? any Codable.Type else { return nil }
    return try Self.codable(type, row.column(slot), &row)
  }

  /// Returns nil as a value of an optional type.
  private static func none<T>(_ type: T.Type) -> (any Sendable)? {
    NilLiteral.value(type).map { uncheckedSendable($0) }
  }

  /// Wraps a value in the property's type, which may be optional.
  private static func declared<T>(_ value: T, _ column: ColumnLayout) -> any Sendable {
    column.property.isOptional ? uncheckedSendable(Optional(value)) : uncheckedSendable(value)
  }

  private static func plain<T: ColumnValue>(_: T.Type, _ slot: Int, _ row: inout StatementRow) throws -> any Sendable {
    try row.value(slot) as T
  }

  private static func flattened<T: FlattenedValue>(
    _: T.Type, _ column: ColumnLayout, _ row: inout StatementRow
  ) throws -> any Sendable {
    declared(try row.flattened(column.slot) as T, column)
  }

  private static func enumeration<T: RawRepresentable>(
    _: T.Type, _ type: any ColumnValue.Type, _ column: ColumnLayout, _ row: inout StatementRow
  ) throws -> any Sendable {
    guard let raw = try plain(type, column.slot, &row) as? T.RawValue, let value = T(rawValue: raw) else {
      throw row.unreadable(row.column(column.slot), as: T.self)
    }
    return declared(value, column)
  }

  private static func codable<T: Codable>(_: T.Type, _ column: Int32, _ row: inout StatementRow) throws -> any Sendable
  {
    uncheckedSendable(try JSONColumn.read(&row, column) as T)
  }

  private static func transformed<T>(
    _: T.Type, _ slot: Int, _ transformer: TransformerReference, _ row: inout StatementRow
  ) throws -> any Sendable {
    uncheckedSendable(try row.transformed(slot, by: transformer) as T)
  }
}
