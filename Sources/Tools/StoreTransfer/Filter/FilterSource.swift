import Foundation
import Trellis

/// Reads the rows that a filter evaluates in memory.
final class FilterSource {
  private let store: any StoreQueries
  private let model: FilterModel
  /// Column values by entity and row key.
  private var rows: [String: [Int64: [SQLValue]]] = [:]
  private var count = 0
  /// The cache limit. Related rows often repeat, but a store may have any number of rows.
  private static let mostRows = 2_000

  init(_ store: any StoreQueries, _ model: FilterModel) {
    self.store = store
    self.model = model
  }

  /// Returns a row's property.
  func cell(_ property: FilterProperty, ofRow key: Int64, _ entity: FilterEntity) throws -> FilterCell {
    if case .list(let list) = property.place { return FilterCell(.rows(try members(list, ofRow: key))) }
    let values = try values(ofRow: key, entity)
    switch property.place {
    case .column(let index): return FilterCell(.column(values[index], property.form))
    case .reference(let index, let destination):
      guard case .integer(let key) = values[index], let entity = model.entities[destination] else {
        return FilterCell(.rows(nil))
      }
      return FilterCell(.rows([FilterRow(key, of: entity, in: self)]))
    case .members(let members, let indicator):
      let cells = members.map { ($0.name, FilterCell(.column(values[$0.index], .plain))) }
      return FilterCell(
        .columns(
          Dictionary(cells, uniquingKeysWith: { first, _ in first }),
          isNil: indicator.map { values[$0] == .null } ?? false)
      )
    case .list: return FilterCell(.rows(nil))
    }
  }

  /// Returns a row's column values, which are NULL if the row does not exist.
  private func values(ofRow key: Int64, _ entity: FilterEntity) throws -> [SQLValue] {
    if let known = rows[entity.name]?[key] { return known }
    let columns = entity.columns.map { "\(name: $0)" as SQLFragment }.joined(separator: ", ")
    let found = try store.rows(
      """
      SELECT \(columns) FROM \(name: entity.layout.table) \
      WHERE \(name: entity.layout.keyColumn) = \(value: .integer(key))
      """)
    let values = found.first ?? entity.columns.map { _ in .null }
    if count >= Self.mostRows { (rows, count) = ([:], 0) }
    rows[entity.name, default: [:]][key] = values
    count += 1
    return values
  }

  private func members(_ list: ListLayout, ofRow key: Int64) throws -> [FilterRow] {
    guard let entity = model.entities[list.destination] else { return [] }
    let members: SQLFragment = "\(name: entity.layout.table) AS \(name: "m")"
    let memberKey: SQLFragment = "\(column: entity.layout.keyColumn, of: "m")"
    let fragment: SQLFragment =
      switch list.kind {
      case .foreignKey(let column):
        "SELECT \(memberKey) FROM \(members) WHERE \(column: column, of: "m") = \(value: .integer(key))"
      case .join(let table, let owner, let member, _):
        """
        SELECT \(memberKey) FROM \(name: table) AS \(name: "p") \
        JOIN \(members) ON \(memberKey) = \(column: member, of: "p") \
        WHERE \(column: owner, of: "p") = \(value: .integer(key))
        """
      }
    return try store.integers(fragment).map { FilterRow($0, of: entity, in: self) }
  }
}

/// A row's or struct's property, before conversion to a Swift type.
struct FilterCell: @unchecked Sendable {  // the container is only read
  enum Content {
    case column(SQLValue, FilterProperty.Form)
    /// A struct in separate columns.
    case columns([String: FilterCell], isNil: Bool)
    /// A property in a struct's JSON.
    case json(KeyedDecodingContainer<FilterStructure.Key>, FilterStructure.Key)
    /// The related rows; `nil` for a nil reference.
    case rows([FilterRow]?)
  }

  private let content: Content

  init(_ content: Content) { self.content = content }

  func isNull() throws -> Bool {
    switch content {
    case .column(let value, _): value == .null
    case .columns(_, let isNil): isNil
    case .json(let container, let key): try !container.contains(key) || container.decodeNil(forKey: key)
    case .rows(let rows): rows == nil
    }
  }

  /// Returns a standard value.
  func value<Value: StandardValue>() throws -> Value {
    guard case .column(let value, .plain) = content else { return try json() }
    var row = StatementRow(ValueCells([value]), .none)
    return try Value.read(&row, 0)
  }

  /// Returns a value that is stored as JSON.
  func json<Value: Decodable>() throws -> Value {
    switch content {
    case .column(.text(let text), _): try JSONColumn.value(Value.self, from: Data(text.utf8))
    case .json(let container, let key): try container.decode(Value.self, forKey: key)
    case .column, .columns, .rows: throw FilterError.unreadable("a value is not stored as JSON text")
    }
  }

  func structure() throws -> FilterStructure {
    switch content {
    case .columns(let cells, _): FilterStructure(columns: cells)
    case .column(_, .hidden): .placeholder
    case .column, .json, .rows: try json()
    }
  }

  func rows() throws -> [FilterRow] {
    guard case .rows(let rows) = content else { throw FilterError.unreadable("a property is not a relationship") }
    return rows ?? []
  }
}
