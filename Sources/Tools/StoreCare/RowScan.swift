import CSQLite
import Trellis

/// Reads every row of a table and checks each value.
struct RowScan {
  /// An entity's column and the permitted values.
  private struct Cell {
    let property: String
    let column: String
    let index: Int32
    let rule: ValueRule
    let isRequired: Bool
    /// For an optional struct's column, the presence column.
    let presence: Int32?
    let comparison: ColumnType.Comparison
  }

  private let store: ExaminedStore
  private let table: String
  private let root: EntityLayout
  private let columns: [String]
  private let cells: [String: [Cell]]
  /// Findings by kind, entity and column.
  private var found: [String: (kind: Finding.Kind, cell: (String, String?), count: Int, examples: [String], String)] =
    [:]
  private var marked: Set<ColumnFlags.Mark> = []
  private(set) var rows = 0

  init(_ store: ExaminedStore, _ table: String, _ entities: [EntityLayout], _ rules: ValueRules) {
    self.store = store
    self.table = table
    let root = entities.first { $0.name == $0.rootName } ?? entities[0]
    self.root = root
    var columns = [root.keyColumn] + (root.discriminators.isEmpty ? [] : [root.entityColumn])
    let all = entities.flatMap { $0.columns.flatMap(\.names) }
    for name in all where !columns.contains(name) { columns.append(name) }
    self.columns = columns
    let indices = Dictionary(
      columns.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
    cells = Dictionary(
      entities.map { ($0.name, Self.cells(of: $0, rules, indices)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func cells(of entity: EntityLayout, _ rules: ValueRules, _ indices: [String: Int32]) -> [Cell] {
    entity.columns.flatMap { column -> [Cell] in
      let isOptional = column.property.isOptional
      let rules = Dictionary(
        rules.rules(of: column, in: entity).map { ($0.name, $0.rule) }, uniquingKeysWith: { first, _ in first })
      func cell(_ name: String, _ type: ColumnType, isRequired: Bool, presence: String? = nil) -> Cell? {
        indices[name].map {
          Cell(
            property: column.property.name, column: name, index: $0, rule: rules[name] ?? .anything,
            isRequired: isRequired, presence: presence.flatMap { indices[$0] }, comparison: type.comparison)
        }
      }
      guard !column.members.isEmpty else {
        return [cell(column.name, column.type, isRequired: !isOptional && !column.type.isOptional)].compactMap(\.self)
      }
      let own = isOptional ? [cell(column.name, column.type, isRequired: false)] : []
      return
        (own
        + column.members.map {
          cell($0.name, $0.type, isRequired: !$0.type.isOptional, presence: isOptional ? column.name : nil)
        }).compactMap(\.self)
    }
  }

  mutating func run() throws -> [Finding] {
    let query: SQLFragment = "SELECT \(names: columns) FROM \(name: table)"
    let statement = try Statement(query.text, on: store.connection.handle, isKept: false)
    while try statement.step() {
      rows += 1
      check(statement)
    }
    // The app may have recorded marks since the store was opened.
    let known = try StoreMetadata.marks(store.connection)
    let findings = found.sorted { $0.key < $1.key }.map { _, item in
      Finding(item.kind, item.cell.0, item.cell.1, count: item.count, examples: item.examples, item.4)
    }
    return findings + missingMarks(known)
  }

  private mutating func check(_ row: Statement) {
    var entity = root.name
    if !root.discriminators.isEmpty {
      entity = row.text(1) ?? ""
      guard cells[entity] != nil else {
        return add(.unknownEntity, table, root.entityColumn, row, "'\(entity.prefix(40))' is no entity of the schema")
      }
    }
    for cell in cells[entity] ?? [] {
      if row.isNull(cell.index) {
        guard cell.isRequired, cell.presence.map({ !row.isNull($0) }) ?? true else { continue }
        add(.missingValue, entity, cell.property, row, "a required value is missing")
        continue
      }
      guard Self.isValidText(row, cell.index) else {
        add(.wrongValue, entity, cell.property, row, "a value is text with bytes that are not UTF-8")
        continue
      }
      // Values that are only checked for NULL need not be copied.
      if case .anything = cell.rule, cell.comparison == .plain || cell.comparison == .none { continue }
      let value = row.value(cell.index)
      switch cell.rule.problem(of: value) {
      case .wrongValue(let text)?: add(.wrongValue, entity, cell.property, row, "a value \(text)")
      case .unknownCase(let text)?: add(.unknownCase, entity, cell.property, row, "a value \(text)")
      case nil: mark(value, cell)
      }
    }
  }

  private static func isValidText(_ row: Statement, _ column: Int32) -> Bool {
    guard sqlite3_column_type(row.handle, column) == SQLITE_TEXT else { return true }
    return String(validating: Statement.bytes(row.handle, column), as: UTF8.self) != nil
  }

  private mutating func add(
    _ kind: Finding.Kind, _ entity: String, _ column: String?, _ row: Statement, _ message: String
  ) {
    let key = "\(kind.rawValue) \(entity) \(column ?? "") \(message)"
    // A damaged table may have a different value in every row.
    guard found[key] != nil || found.count < 1_000 else { return }
    var item = found[key] ?? (kind, (entity, column), 0, [], message)
    item.count += 1
    if item.examples.count < Finding.exampleLimit { item.examples.append(row.value(0).text) }
    found[key] = item
  }

  // MARK: column marks

  private mutating func mark(_ value: SQLValue, _ cell: Cell) {
    let kind: ColumnFlags.Kind
    switch (cell.comparison, value) {
    case (.text, .text(var text)):
      guard text.utf8.contains(where: { $0 >= 0x80 }), !text.withUTF8({ TextRules.isNFC($0) }) else { return }
      kind = .nonNFC
    case (.real, .text): kind = .nan
    default: return
    }
    marked.insert(ColumnFlags.Mark(kind: kind, table: table, column: cell.column))
  }

  /// Findings for marks that are missing in the store.
  private func missingMarks(_ known: Set<ColumnFlags.Mark>) -> [Finding] {
    marked.subtracting(known).sorted { $0.key < $1.key }.map { mark in
      Finding(
        .missingMark, table, mark.column, examples: [mark.key],
        "a value is \(mark.kind.rawValue), but the store does not record that, so that queries miss it")
    }
  }
}
