import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Rows of the plain models in a SQLite database with the layout of the default store.
final class PredicateStore {
  static let identifier = "predicate-tests"

  let connection: Connection
  let layout: StoreLayout
  private var marks: Set<ColumnFlags.Mark> = []
  private var counts: [String: Int64] = [:]

  private(set) var items: [Item] = []
  private(set) var groups: [Group] = []
  private(set) var vehicles: [Vehicle] = []

  init() throws {
    layout = Self.makeLayout()
    connection = try Connection(":memory:", .creating)
    #expect(PredicateFunctions.register(on: connection.handle) == 0)
    for entity in layout.entities where entity.name == entity.rootName { try create(entity) }
    try connection.execute(
      "CREATE TABLE \"ItemLabels\" (\"item\" INTEGER, \"label\" INTEGER) STRICT")
  }

  func translator<T: PersistentModel>(_: T.Type) -> PredicateTranslator {
    PredicateTranslator(
      layout: layout, entity: layout.entity(for: T.self)!, marks: ColumnFlags(marks),
      storeIdentifier: Self.identifier)
  }

  // MARK: Queries

  /// The numbers of the rows that SQL finds.
  func rows<T: PersistentModel>(
    _ predicate: Predicate<T>?, _ sort: [SortDescriptor<T>] = []
  ) throws -> [Int64] {
    let translator = translator(T.self)
    let entity = translator.entity
    var sql: SQLFragment = """
      SELECT \(column: entity.keyColumn, of: "t0") FROM \(name: entity.table) AS "t0"
      """
    if let predicate { sql += " WHERE \(try translator.filter(predicate))" }
    let order = try translator.order(sort)
    sql +=
      order.text.isEmpty
      ? " ORDER BY \(translator.root.key)" : " ORDER BY \(order), \(translator.root.key)"
    return try connection.rows(sql).map { row in
      guard case .integer(let number) = row[0] else { return -1 }
      return number
    }
  }

  func sql<T: PersistentModel>(_ predicate: Predicate<T>) throws -> SQLFragment {
    try translator(T.self).filter(predicate)
  }

  // MARK: Contents

  @discardableResult
  func add(_ item: Item, optParts: [Extra] = []) throws -> Item {
    for part in item.parts { part.item = item }
    for extra in item.optParts ?? [] { extra.item = item }
    try insert(item, item.owner, item.group)
    items.append(item)
    for part in item.parts { try insert(part, part.maker) }
    for extra in item.optParts ?? [] { try insert(extra) }
    for label in item.labels {
      try insert(label)
      try connection.execute(
        """
        INSERT INTO "ItemLabels" VALUES \
        (\(value: .integer(item._$identifier.row!)), \(value: .integer(label._$identifier.row!)))
        """)
    }
    return item
  }

  func add(_ group: Group) throws {
    groups.append(group)
    try insert(group, group.parent)
  }

  func add(_ vehicle: Vehicle) throws {
    vehicles.append(vehicle)
    try insert(vehicle)
  }

  /// Inserts the row of a model after the rows that it refers to, unless it exists.
  private func insert<M: PlainModel & PersistentModel>(
    _ model: M, _ others: (any PlainModelValue)?...
  ) throws {
    guard model._$identifier.isTemporary else { return }
    for other in others { try other?.insert(in: self) }
    let definition = type(of: model)._$definition
    let entity = layout.entity(named: definition.entityName)!
    let row = (counts[entity.table] ?? 0) + 1
    counts[entity.table] = row
    model._$identifier = PersistentIdentifier(
      token: .interned(store: Self.identifier, entity: entity.rootName), row: row)
    var names: [SQLFragment] = ["\(name: entity.keyColumn)"]
    var values: [SQLFragment] = ["\(value: .integer(row))"]
    if !entity.discriminators.isEmpty {
      names.append("\(name: entity.entityColumn)")
      values.append("\(value: .text(entity.name))")
    }
    for column in entity.columns {
      let value = Self.stored(
        (model as AnyObject as! any PersistentModel).read(column.property.keyPath))
      note(value, entity.table, column)
      names.append("\(name: column.name)")
      values.append("\(value: value)")
    }
    try connection.execute(
      """
      INSERT INTO \(name: entity.table) (\(names.joined(separator: ", "))) \
      VALUES (\(values.joined(separator: ", ")))
      """)
  }

  fileprivate func insertReferenced<M: PlainModel & PersistentModel>(_ model: M) throws {
    if let group = model as? Group {
      if group._$identifier.isTemporary { try add(group) }
    } else if let owner = model as? Owner {
      try insert(owner, owner.best)
    } else {
      try insert(model)
    }
  }

  private func note(_ value: SQLValue, _ table: String, _ column: ColumnLayout) {
    guard case .text(var text) = value else { return }
    switch column.type.comparison {
    case .text where !text.withUTF8({ TextRules.isNFC($0) }):
      marks.insert(.init(kind: .nonNFC, table: table, column: column.name))
    case .real: marks.insert(.init(kind: .nan, table: table, column: column.name))
    default: break
    }
  }

  /// The encodings of the default store, implemented independently.
  private static func stored(_ value: Any) -> SQLValue {
    if let optional = value as? any OptionalValue {
      return optional.wrappedValue.map(stored) ?? .null
    }
    return switch value {
    case let value as Bool: .integer(value ? 1 : 0)
    case let value as Int: .integer(Int64(value))
    case let value as Int8: .integer(Int64(value))
    case let value as UInt64: .integer(Int64(bitPattern: value ^ 1 << 63))
    case let value as Double: value.isNaN ? .text("NaN") : .real(value)
    case let value as Float: value.isNaN ? .text("NaN") : .real(Double(value))
    case let value as Date: stored(value.timeIntervalSinceReferenceDate)
    case let value as String: .text(value)
    case let value as Character: .text(String(value))
    case let value as UUID: .text(value.uuidString)
    case let value as URL: .text(value.absoluteString)
    case let value as Decimal: .text("\(value)")
    case let value as Data: .blob([UInt8](value))
    case let value as Kind: .text(value.rawValue)
    case let value as Level: .integer(Int64(value.rawValue))
    case let value as any PersistentModel: .integer(value._$identifier.row!)
    default: .text("{}")
    }
  }

  // MARK: Layout

  private func create(_ entity: EntityLayout) throws {
    var columns: [SQLFragment] = ["\(name: entity.keyColumn) INTEGER PRIMARY KEY"]
    let chain = layout.entities.filter { $0.rootName == entity.name }
    if !entity.discriminators.isEmpty { columns.append("\(name: entity.entityColumn) TEXT") }
    var names: Set<String> = []
    for column in chain.flatMap(\.columns) where names.insert(column.name).inserted {
      columns.append(
        column.type.affinity == .integer
          ? "\(name: column.name) INTEGER"
          : column.type.affinity == .text
            ? "\(name: column.name) TEXT"
            : column.type.affinity == .any
              ? "\(name: column.name) ANY" : "\(name: column.name) BLOB")
    }
    try connection.execute(
      "CREATE TABLE \(name: entity.table) (\(columns.joined(separator: ", "))) STRICT")
  }

  private static func makeLayout() -> StoreLayout {
    StoreLayout(entities: [
      entity(
        Item.self,
        lists: [
          "parts": .foreignKey(column: "item"), "optParts": .foreignKey(column: "item"),
          "labels": .join(table: "ItemLabels", owner: "item", member: "label", position: nil),
        ]),
      entity(Group.self, lists: ["items": .foreignKey(column: "group")], key: "_id"),
      entity(Owner.self), entity(Part.self), entity(Extra.self), entity(Label.self),
      entity(Vehicle.self, discriminators: ["Vehicle", "Car"]),
      entity(Car.self, discriminators: ["Car"]),
    ])
  }

  private static func entity<M: PersistentModel>(
    _: M.Type, lists: [String: ListLayout.Kind] = [:], key: String = "id",
    discriminators: [String] = []
  ) -> EntityLayout {
    let definition = M._$definition
    let properties = definition.layout
    let root = definition.superentityName ?? definition.entityName
    return EntityLayout(
      name: definition.entityName, table: root, keyColumn: key, definition: definition,
      rootName: root, discriminators: discriminators,
      columns: properties.columns.map { property in
        ColumnLayout(
          name: property.name, slot: property.slot, type: columnType(property),
          destination: property.kind.destination?._$definition.entityName, property: property)
      },
      lists: properties.lists.map { property in
        ListLayout(
          slot: property.slot,
          destination: property.kind.destination!._$definition.entityName,
          kind: lists[property.name]!, property: property)
      })
  }

  private static func columnType(_ property: ModelProperty) -> ColumnType {
    guard case .attribute(let type) = property.kind else { return ColumnType(.integer) }
    let value = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return (value as! any ColumnValue.Type).columnType
  }
}

private protocol PlainModelValue {
  func insert(in store: PredicateStore) throws
}

extension PlainModel: PlainModelValue {
  fileprivate func insert(in store: PredicateStore) throws {
    switch self {
    case let group as Group: try store.insertReferenced(group)
    case let owner as Owner: try store.insertReferenced(owner)
    default: break
    }
  }
}

extension PersistentModel {
  fileprivate func read(_ keyPath: AnyKeyPath) -> Any { self[keyPath: keyPath] as Any }
}
