import SchemaDiff
import SchemaModel

/// Counts the rows that a change affects.
struct ChangeCounter {
  let store: StoreDescription
  /// The store's schema version.
  let original: ResolvedSchema
  let old: ResolvedSchema
  let new: ResolvedSchema
  let names: FormerNames

  typealias Count = (count: Int, text: String)

  func rows(of change: SchemaChange) throws -> Count? {
    switch change {
    case .entity(.removed(let entity)):
      guard let table = place(entity.name) else { return nil }
      return counted(try count(table, "1 = 1"), "row", "is removed", "are removed")
    case .attribute(let change): return try rows(of: change)
    case .relationship(let change):
      guard let name = change.old?.name, let place = column(name, of: oldEntity(change.entity)) else { return nil }
      let links = try count(place.table, "\(place.column) IS NOT NULL AND \(place.condition)")
      return counted(links, "row", "has a link", "have a link")
    case .unique(.added(let unique, let entity)): return try duplicates(unique, oldEntity(entity))
    case .enumeration(let change): return try rows(of: change)
    case .structure(let change): return try holders(of: change.name)
    case .schema, .entity, .unique, .index: return nil
    }
  }

  private func rows(of change: AttributeChange) throws -> Count? {
    let entity = oldEntity(change.entity)
    switch change.aspect {
    case .removed, .becameTransient, .optionAdded:
      guard let name = change.old?.name, let place = column(name, of: entity) else { return nil }
      let rows = try count(place.table, "\(place.column) IS NOT NULL AND \(place.condition)")
      return counted(rows, "row", "has a value", "have a value")
    case .type:
      guard let old = change.old, let new = change.new, let place = column(old.name, of: entity) else { return nil }
      if case .optional(let inner) = old.type, inner == new.type {
        let rows = try count(place.table, "\(place.column) IS NULL AND \(place.condition)")
        return counted(rows, "row", "has nil", "have nil")
      }
      let rows = try count(place.table, "\(place.column) IS NOT NULL AND \(place.condition)")
      return counted(rows, "row", "has a value of the old type", "have a value of the old type")
    case .added, .becameStored, .optionRemoved:
      guard let place = place(change.entity) else { return nil }
      return counted(try count(place, "1 = 1"), "row", "needs a value", "need a value")
    default:
      return nil
    }
  }

  private func rows(of change: EnumChange) throws -> Count? {
    guard case .caseRemoved(let gone) = change.aspect else { return try holders(of: change.name) }
    let raw: SQLText
    switch gone.rawValue {
    case .string(let text): raw = "\(literal: text)"
    case .integer(let number): raw = "\(number: number)"
    case .other, nil: return try holders(of: change.name)
    }
    var total = 0
    for holder in direct(change.name) {
      guard let place = column(holder.property, of: holder.entity) else { continue }
      total += try count(place.table, "\(place.comparable) = \(raw) AND \(place.condition)")
    }
    let nested = try holders(of: change.name, directly: false)?.count ?? 0
    let more = nested > 0 ? ", and \(nested) contain the enum in nested values" : ""
    let text = counted(total, "row", "has the case", "have the case").text + more
    return (total + nested, text)
  }

  /// Counts rows with a value that contains a type.
  private func holders(of type: String, directly: Bool? = nil) throws -> Count? {
    var total = 0
    for entity in old.entities {
      for case .attribute(let attribute) in entity.properties where !attribute.isTransient {
        let isDirect = attribute.type == .enumeration(type) || attribute.type == .optional(.enumeration(type))
        guard mentions(attribute.type, type), directly.map({ $0 == isDirect }) ?? true,
          let place = column(attribute.name, of: entity.name)
        else { continue }
        total += try count(place.table, "\(place.column) IS NOT NULL AND \(place.condition)")
      }
    }
    return counted(total, "row", "has such a value", "have such a value")
  }

  private func direct(_ type: String) -> [(entity: String, property: String)] {
    old.entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard case .attribute(let attribute) = property, !attribute.isTransient,
          attribute.type == .enumeration(type) || attribute.type == .optional(.enumeration(type))
        else { return nil }
        return (entity.name, attribute.name)
      }
    }
  }

  private func mentions(_ value: ValueType, _ type: String, depth: Int = 0) -> Bool {
    guard depth < 16 else { return false }
    return value.declaredTypes.contains { name in
      if name == type { return true }
      let fields = old.structs.first { $0.name == name }?.fields.map(\.type) ?? []
      let payload = old.enums.first { $0.name == name }?.cases.flatMap { $0.payload.map(\.type) } ?? []
      return (fields + payload).contains { mentions($0, type, depth: depth + 1) }
    }
  }

  private func duplicates(_ unique: ResolvedUnique, _ entity: String) throws -> Count? {
    let places = unique.properties.map { name in
      column(Counterparts(from: old, to: new).oldName(of: name, in: newEntity(entity)) ?? name, of: entity)
    }
    let found = places.compactMap(\.self)
    guard found.count == places.count, let first = found.first else { return nil }
    let columns = found.map(\.comparable)
    let filled = found.map { "\($0.column) IS NOT NULL" as SQLText }
    let row =
      try store.store.rows(
        """
        SELECT count(*), CAST(coalesce(sum(n), 0) AS bigint) FROM (SELECT count(*) AS n FROM \(first.table)
        WHERE \(filled, by: " AND ") AND \(first.condition) GROUP BY \(columns, by: ", ") HAVING count(*) > 1) AS g
        """
      ).first ?? []
    let groups = row.first?.integer ?? 0
    let rows = row.dropFirst().first?.integer ?? 0
    return (rows, rows == 0 ? "no equal rows" : "\(rows) equal rows in \(groups == 1 ? "1 group" : "\(groups) groups")")
  }

  // MARK: Locations

  /// - `comparable`: A column expression with values that the database can compare.
  private typealias Place = (table: SQLText, column: SQLText, comparable: SQLText, condition: SQLText)

  private func oldEntity(_ new: String) -> String {
    Counterparts(from: old, to: self.new).entities[new] ?? new
  }

  private func newEntity(_ old: String) -> String {
    Counterparts(from: self.old, to: new).entities.first { $0.value == old }?.key ?? old
  }

  /// Returns the table and the condition for a model's rows in the older version.
  private func place(_ entity: String) -> Place? {
    guard let name = names.entity(oldEntity(entity)), let table = store.table(of: name, in: original),
      let condition = try? store.condition(of: name, in: original)
    else { return nil }
    return ("\(table: table)", "1 = 1", "1 = 1", condition)
  }

  private func column(_ property: String, of entity: String) -> Place? {
    var owner: String? = entity
    while let candidate = owner {
      if let former = names.property(property, of: candidate),
        let column = store.columns["\(former.entity).\(former.property)"],
        let table = store.table(of: former.entity, in: original),
        let condition = try? store.condition(of: names.entity(entity) ?? former.entity, in: original),
        let comparable = try? store.store.comparable(column, of: table)
      {
        return ("\(table: table)", "\(name: column)", comparable, condition)
      }
      owner = old.entities.first { $0.name == candidate }?.superentity
    }
    return nil
  }

  private func count(_ place: Place, _ condition: SQLText) throws -> Int {
    try count(place.table, "\(condition) AND \(place.condition)")
  }

  private func count(_ table: SQLText, _ condition: SQLText) throws -> Int {
    try store.store.number("SELECT count(*) FROM \(table) WHERE \(condition)")
  }

  private func counted(_ count: Int, _ what: String, _ one: String, _ many: String) -> Count {
    (count, count == 0 ? "no \(what) \(one)" : count == 1 ? "1 \(what) \(one)" : "\(count) \(what)s \(many)")
  }
}
