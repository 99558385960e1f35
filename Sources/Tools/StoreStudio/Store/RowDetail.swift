import SchemaModel
import StoreTransfer
import Trellis

/// A row with its relationships in both directions.
struct RowDetail: Encodable, Sendable {
  struct List: Encodable, Sendable {
    var name: String
    var destination: String
    var count: Int64
    var rows: [RowLink]
  }
  /// Rows that refer to this row through a relationship without an inverse.
  struct Reference: Encodable, Sendable {
    var entity: String
    var property: String
    var count: Int64
    var rows: [RowLink]
  }

  var entity: String
  var `class`: String
  var key: String
  var label: String
  var cells: [String: CellView?]
  var toMany: [List]
  var referencedBy: [Reference]
}

extension StoreReader {
  /// The number of members that a row shows at once.
  private static let members = 50

  func detail(_ name: String, key: Int64) throws -> RowDetail {
    let wanted = try entity(name)
    let entity = try rowClass(wanted, key) ?? wanted
    var found: [String: CellView?]?
    let columns = CellColumns(entity.columns, in: database)
    try visit(columns.selected, of: entity, key) { statement in
      found = [:]
      for (column, cell) in zip(entity.columns, columns.cells(statement)) {
        found?.updateValue(cell, forKey: column.property)
      }
    }
    guard var cells = found else { throw Self.missing(name, key) }
    try addLinks(entity, &cells)
    let label = try labels(entity, [key])[key] ?? "\(entity.name) \(key)"
    return RowDetail(
      entity: name, class: entity.name, key: "\(key)", label: label, cells: cells,
      toMany: try entity.layout.lists.compactMap { try list($0, of: entity, key) },
      referencedBy: try references(to: entity, key))
  }

  /// Calls a closure with a statement at a row, unless there is no such row.
  func visit(
    _ columns: [SQLFragment], of entity: StudioSchema.Entity, _ key: Int64, _ row: (Statement) throws -> Void
  ) throws {
    // A row has a key even if no column is wanted.
    let selected = (columns + [self.key(entity)]).joined(separator: ", ")
    try database.visit(
      """
      SELECT \(database.selection(selected, of: entity.layout)) FROM \(table(entity))
      WHERE \(self.key(entity)) = \(value: .integer(key))
      """, row)
  }

  static func missing(_ name: String, _ key: Int64) -> StudioError {
    StudioError("'\(name)' has no row \(key); it may have been deleted")
  }

  private func addLinks(_ entity: StudioSchema.Entity, _ cells: inout [String: CellView?]) throws {
    for column in entity.columns {
      guard let name = column.destination, let destination = schema.entity(name),
        var cell = cells[column.property] ?? nil, let key = cell.key.flatMap({ Int64($0) })
      else { continue }
      let label = try labels(destination, [key])[key]
      cell.text = label ?? "\(name) \(key)"
      if label == nil { cell.problem = "leads to a row that does not exist" }
      cells[column.property] = cell
    }
  }

  // MARK: Relationships

  private func list(_ list: ListLayout, of entity: StudioSchema.Entity, _ key: Int64) throws -> RowDetail.List? {
    guard let destination = schema.entity(list.destination),
      let pairs = pairs(list.property.name, of: entity, .owner, [key])
    else { return nil }
    let count = try database.integers("SELECT count(*) FROM \(pairs)").first ?? 0
    let keys = try database.integers(
      "SELECT \"member\" FROM \(pairs) ORDER BY \"place\", \"member\" LIMIT \(number: Self.members)")
    return RowDetail.List(
      name: list.property.name, destination: list.destination, count: count, rows: try links(destination, keys))
  }

  /// Returns the rows that refer to a row through relationships without an inverse.
  private func references(to entity: StudioSchema.Entity, _ key: Int64) throws -> [RowDetail.Reference] {
    try schema.entities.flatMap { other in
      try other.resolved.properties.compactMap { property -> RowDetail.Reference? in
        guard case .relationship(let relationship) = property, relationship.inverse == .none,
          entity.lineage.contains(relationship.destination),
          let pairs = pairs(relationship.name, of: other, .member, [key]),
          let count = try database.integers("SELECT count(*) FROM \(pairs)").first, count > 0
        else { return nil }
        let keys = try database.integers("SELECT \"owner\" FROM \(pairs) ORDER BY 1 LIMIT \(number: Self.members)")
        return RowDetail.Reference(
          entity: other.name, property: relationship.name, count: count, rows: try links(other, keys))
      }
    }
  }
}
