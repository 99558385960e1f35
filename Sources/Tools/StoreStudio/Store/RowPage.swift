import StoreTransfer
import Trellis

/// The rows that a view asks for.
struct RowQuery: Sendable {
  var entity: String
  /// A property; nil for the order of the keys.
  var sort: String?
  var isDescending = false
  /// A predicate in Swift syntax.
  var filter: String?
  /// Text that a text property contains.
  var search: String?
  /// The row whose relationship leads to the rows, or to which the rows refer.
  var related: Related?

  struct Related: Sendable {
    /// The entity that declares the relationship.
    var entity: String
    var property: String
    var key: Int64
    /// True if the rows are the owners of the relationship.
    var isReversed: Bool
  }

  var isFiltered: Bool { filter?.isEmpty == false || search?.isEmpty == false || related != nil }
}

/// A part of a table.
struct RowPage: Encodable, Sendable {
  struct Row: Encodable, Sendable {
    var key: String
    var `class`: String
    var cells: [CellView?]
  }

  var columns: [String]
  var rows: [Row]
  /// Continues after the last row; nil at the end.
  var next: String?
  /// The number of rows that a filter or search selects; nil if counting takes too long.
  var count: Int64?
  var sql: String
  var plan: [String]
  var milliseconds: Double

  static let size = 200
}

/// The place after which a page begins: the last row's sort value and key.
struct PageCursor {
  var value: SQLValue
  var key: Int64

  var text: String {
    let value =
      switch self.value {
      case .integer(let number): "i\(number)"
      case .real(let number): "r\(number.bitPattern)"
      case .text(let text): "t\(text)"
      case .null, .blob, .list: "n"
      }
    return "\(key).\(value)"
  }

  init(_ value: SQLValue, _ key: Int64) {
    self.value = value
    self.key = key
  }

  init?(_ text: String) {
    guard let dot = text.firstIndex(of: "."), let key = Int64(text[..<dot]) else { return nil }
    self.key = key
    let value = text[text.index(after: dot)...]
    switch value.first {
    case "n": self.value = .null
    case "i":
      guard let number = Int64(value.dropFirst()) else { return nil }
      self.value = .integer(number)
    case "r":
      guard let bits = UInt64(value.dropFirst()) else { return nil }
      self.value = .real(Double(bitPattern: bits))
    case "t": self.value = .text(String(value.dropFirst()))
    default: return nil
    }
  }
}

extension StoreReader {
  /// Returns a page of rows.
  ///
  /// - Parameter after: The ``RowPage/next`` of the previous page.
  func page(_ query: RowQuery, after: PageCursor? = nil, size: Int = RowPage.size) throws -> RowPage {
    let entity = try entity(query.entity)
    let start = ContinuousClock.now
    let page = try database.run(within: .seconds(20)) {
      try matching(query, entity) { try self.page(query, entity, where: $0, after, size) }
    }
    guard var page else {
      throw StudioError("the query took longer than 20 seconds and was stopped; filter by an indexed property")
    }
    page.milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    // The overview contains the number of all rows.
    if after == nil, query.isFiltered {
      page.count = try database.run(within: .milliseconds(50)) {
        try matching(query, entity) { try count(table(entity), where: $0) }
      }
    }
    return page
  }

  /// Passes the condition for a query's rows to a closure. If SQL cannot evaluate the predicate for a row, the closure
  /// is called again with the keys of the rows that match in memory.
  func matching<T>(_ query: RowQuery, _ entity: StudioSchema.Entity, _ body: (SQLFragment) throws -> T) throws -> T {
    let related = try relatedCondition(query.related, entity)
    let search: SQLFragment = "\(searchCondition(query.search, entity)) AND \(related)"
    guard let text = query.filter, !text.isEmpty else { return try body("\(membership(entity)) AND \(search)") }
    let filter: RowFilter
    do {
      filter = try RowFilter(text, entity: entity.name, in: target)
    } catch let error as FilterError {
      throw StudioError("\(error)")
    }
    if case .condition(let condition) = try filter.selection(in: database) {
      do {
        return try body("\(condition) AND \(search)")
      } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {}
    }
    let keys = SQLValue.keys(try filter.keys(in: database))
    return try body("\(database.dialect.isKey(filter.key, in: "\(value: keys)")) AND \(search)")
  }

  private func relatedCondition(
    _ related: RowQuery.Related?, _ entity: StudioSchema.Entity
  ) throws -> SQLFragment {
    guard let related else { return everyRow }
    let owner = try self.entity(related.entity)
    guard
      let pairs = pairs(related.property, of: owner, related.isReversed ? .member : .owner, [related.key])
    else { throw StudioError("'\(owner.name)' has no relationship '\(related.property)'") }
    return "\(key(entity)) IN (SELECT \(name: related.isReversed ? "owner" : "member") FROM \(pairs))"
  }

  private func searchCondition(_ search: String?, _ entity: StudioSchema.Entity) -> SQLFragment {
    guard let search, !search.isEmpty else { return everyRow }
    let conditions = entity.columns.compactMap { contains(search, $0) }
    guard !conditions.isEmpty else { return database.dialect.condition(false) }
    return "(\(conditions.joined(separator: " OR ")))"
  }

  /// Returns a condition for values that contain a text, regardless of the case of ASCII letters, or that are equal to a
  /// number; nil if no value of the column can match.
  func contains(_ text: String, _ column: StudioSchema.Column) -> SQLFragment? {
    let value: SQLFragment = "\(column: column.sql, of: Self.alias)"
    guard column.isText else {
      guard column.isLabel, let number = Int64(text) else { return nil }
      return "\(value) = \(value: .integer(number))"
    }
    let pattern = "%" + text.flatMap { "%_\\".contains($0) ? "\\\($0)" : "\($0)" } + "%"
    return database.matches(value, pattern)
  }

  // MARK: Pages

  private func page(
    _ query: RowQuery, _ entity: StudioSchema.Entity, where condition: SQLFragment, _ after: PageCursor?, _ size: Int
  ) throws -> RowPage {
    let sort = try sortColumn(query, entity)
    var page = RowPage(
      columns: entity.columns.map(\.property), rows: [], sql: "", plan: [], milliseconds: 0)
    var last: PageCursor?
    for part in parts(sort, query.isDescending, after, entity) where page.rows.count <= size {
      let statement = selection(entity, sort, query.isDescending, where: "\(condition) AND \(part)")
      let limited: SQLFragment = "\(statement) LIMIT \(number: size + 1 - page.rows.count)"
      if page.sql.isEmpty {
        page.sql = database.dialect.text(of: limited)
        page.plan = try database.plan(of: limited)
      }
      try append(limited, entity, to: &page, &last, size)
    }
    if page.rows.count > size {
      page.rows.removeLast()
      page.next = last?.text
    }
    try addLinks(entity, to: &page)
    return page
  }

  func sortColumn(_ query: RowQuery, _ entity: StudioSchema.Entity) throws(StudioError) -> StudioSchema.Column? {
    guard let name = query.sort else { return nil }
    guard let column = entity.columns.first(where: { $0.property == name }), column.isSortable else {
      throw StudioError("'\(entity.name)' cannot be sorted by '\(name)'")
    }
    return column
  }

  /// The columns of a page, the row's class, the key and the sort value.
  private func selection(
    _ entity: StudioSchema.Entity, _ sort: StudioSchema.Column?, _ isDescending: Bool, where condition: SQLFragment
  ) -> SQLFragment {
    func qualified(_ name: String) -> SQLFragment { "\(column: name, of: Self.alias)" }
    let type: SQLFragment = entity.table.classColumn.map { qualified(entity.table.columns[$0].column) } ?? "NULL"
    let value: SQLFragment = sort.map(sortValue) ?? "NULL"
    let cells = CellColumns(entity.columns, in: database).selected
    let columns = (cells + [type, key(entity), value]).joined(separator: ", ")
    return """
      SELECT \(database.selection(columns, of: entity.layout)) FROM \(table(entity)) WHERE \(condition) \
      ORDER BY \(order(entity, sort, isDescending))
      """
  }

  private func sortValue(_ column: StudioSchema.Column) -> SQLFragment {
    let value: SQLFragment = "\(column: column.sql, of: Self.alias)"
    return column.form == .decimal ? database.number(ofDecimal: value) : value
  }

  func order(_ entity: StudioSchema.Entity, _ sort: StudioSchema.Column?, _ isDescending: Bool) -> SQLFragment {
    let key: SQLFragment = "\(key(entity)) \(isDescending ? "DESC" : "ASC")"
    guard let sort else { return key }
    return "\(database.dialect.sortTerm(sortValue(sort), isReverse: isDescending)), \(key)"
  }

  /// Returns conditions for the rows after a place, in order. Each can use an index of the sort column; NULL is the
  /// least value.
  private func parts(
    _ sort: StudioSchema.Column?, _ isDescending: Bool, _ after: PageCursor?, _ entity: StudioSchema.Entity
  ) -> [SQLFragment] {
    guard let after else { return [everyRow] }
    let comparison: SQLFragment = isDescending ? "<" : ">"
    let key = key(entity)
    let afterKey: SQLFragment = "\(key) \(comparison) \(value: .integer(after.key))"
    guard let sort else { return [afterKey] }
    let column = sortValue(sort)
    if after.value == .null {
      let others: [SQLFragment] = isDescending ? [] : ["\(column) IS NOT NULL"]
      return ["\(column) IS NULL AND \(afterKey)"] + others
    }
    let value = database.parameter(after.value, for: sort.sql, in: entity.layout.table)
    let rest: SQLFragment = "(\(column), \(key)) \(comparison) (\(value: value), \(value: .integer(after.key)))"
    return [rest] + (isDescending ? ["\(column) IS NULL"] : [])
  }

  private func append(
    _ query: SQLFragment, _ entity: StudioSchema.Entity, to page: inout RowPage, _ last: inout PageCursor?, _ size: Int
  ) throws {
    let columns = CellColumns(entity.columns, in: database)
    let type = Int32(columns.selected.count)
    let (key, value) = (type + 1, type + 2)
    try database.visit(query) { statement in
      let number = statement.integer(key)
      page.rows.append(
        .init(key: "\(number)", class: statement.text(type) ?? entity.name, cells: columns.cells(statement)))
      if page.rows.count <= size { last = PageCursor(statement.value(value), number) }
    }
  }

  /// Adds the texts of to-one links: one query for each destination.
  private func addLinks(_ entity: StudioSchema.Entity, to page: inout RowPage) throws {
    for (index, column) in entity.columns.enumerated() {
      guard let name = column.destination, let destination = schema.entity(name) else { continue }
      let keys = page.rows.compactMap { $0.cells[index]?.key.flatMap { Int64($0) } }
      let labels = try labels(destination, keys)
      for row in page.rows.indices {
        guard let key = page.rows[row].cells[index]?.key.flatMap({ Int64($0) }) else { continue }
        if let label = labels[key] {
          page.rows[row].cells[index]?.text = label
        } else {
          page.rows[row].cells[index]?.text = "\(name) \(key)"
          page.rows[row].cells[index]?.problem = "leads to a row that does not exist"
        }
      }
    }
  }
}
