import CSQLite
import Foundation
import StoreCare
import StoreTransfer
import Trellis

/// The differences between an entity's rows in two stores. Rows are matched by key.
struct RowDifferences: Encodable, Sendable {
  enum Kind: String, Encodable, Sendable { case onlyHere, onlyThere, changed }

  struct Row: Encodable, Sendable {
    var key: String
    var label: String
    var kind: Kind
    /// The values that differ. For a row in only one of the stores, these are all values except nil.
    var values: [Value]
  }

  /// The values of a property in both stores.
  struct Value: Encodable, Sendable {
    var property: String
    var here: CellView?
    var there: CellView?
  }

  var onlyHere = 0
  var onlyThere = 0
  var changed = 0
  var equal = 0
  var rows: [Row] = []
  /// Continues the list of rows after this key; nil at the end.
  var next: String?
  /// False if the comparison took too long and was stopped.
  var isComplete = true

  /// The number of rows that are listed at once.
  static let size = 200

  /// - Parameter row: Nil for an equal row.
  fileprivate mutating func add(_ row: Row?, isListed: Bool) {
    guard let row else {
      equal += 1
      return
    }
    switch row.kind {
    case .onlyHere: onlyHere += 1
    case .onlyThere: onlyThere += 1
    case .changed: changed += 1
    }
    if isListed { rows.append(row) } else { next = rows.last?.key }
  }
}

/// Compares an entity's rows in two stores: reads both tables once, in key order.
struct RowComparison {
  let table: ComparedTable
  let ours: StoreReader
  let theirs: StoreReader
  let files: (ours: FileDatabase, theirs: FileDatabase)
  let limit: Duration

  func differences(after: Int64?) throws -> RowDifferences {
    var found = RowDifferences()
    var last = after
    let isComplete = try files.ours.run(within: limit) {
      try files.theirs.run(within: limit) {
        let lists = table.lists
        let here = try RowCursor(
          files.ours, ours, table.ours, table.columns.map(\.ours), lists.map(\.ours), after: after)
        let there = try RowCursor(
          files.theirs, theirs, table.theirs, table.columns.map(\.theirs), lists.map(\.theirs), after: after)
        while let key = Self.least(here.key, there.key) {
          // Only the first answer counts all rows.
          if after != nil, found.next != nil { break }
          let isListed = found.rows.count < RowDifferences.size
          found.add(try row(key, here, there, isListed: isListed), isListed: isListed)
          last = key
          if here.key == key { try here.advance() }
          if there.key == key { try there.advance() }
        }
        return true
      }
    }
    found.isComplete = isComplete == true
    if !found.isComplete, found.next == nil { found.next = last.map(String.init) }
    return found
  }

  private static func least(_ first: Int64?, _ second: Int64?) -> Int64? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
  }

  /// Returns a row that differs, or nil. Rows that are not listed have no label and no values.
  private func row(
    _ key: Int64, _ here: RowCursor, _ there: RowCursor, isListed: Bool
  ) throws -> RowDifferences.Row? {
    var kind = RowDifferences.Kind.changed
    var values: [RowDifferences.Value] = []
    if there.key != key {
      kind = .onlyHere
    } else if here.key != key {
      kind = .onlyThere
    } else {
      let columns = table.columns.indices.filter { !here.isEqual(to: there, $0) }
      let lists = try table.lists.indices.filter { try !here.lists[$0].isEqual(to: there.lists[$0], key) }
      guard !columns.isEmpty || !lists.isEmpty else { return nil }
      if isListed { values = try columns.map { try value($0, here, there) } + lists.map { try members($0, of: key) } }
    }
    guard isListed else { return .init(key: "", label: "", kind: kind, values: []) }
    if kind != .changed {
      values = try table.columns.indices.map { try value($0, here, there, kind) }
        .filter { $0.here != nil || $0.there != nil }
    }
    let (reader, entity) = kind == .onlyThere ? (theirs, table.theirs) : (ours, table.ours)
    let label = try entity.flatMap { try reader.labels($0, [key])[key] } ?? "\(table.name) \(key)"
    return .init(key: "\(key)", label: label, kind: kind, values: values)
  }

  // MARK: Values

  /// - Parameter kind: The side whose cursor is at the row, or both.
  private func value(
    _ index: Int, _ here: RowCursor, _ there: RowCursor, _ kind: RowDifferences.Kind = .changed
  ) throws -> RowDifferences.Value {
    let columns = table.columns[index]
    return RowDifferences.Value(
      property: columns.ours.property,
      here: kind == .onlyThere ? nil : try named(here.value(index, columns.ours), ours),
      there: kind == .onlyHere ? nil : try named(there.value(index, columns.theirs), theirs)?.withoutLinks)
  }

  /// Adds the text of a to-one link.
  private func named(_ cell: CellView?, _ reader: StoreReader) throws -> CellView? {
    guard var cell, let key = cell.key.flatMap({ Int64($0) }), let name = cell.entity,
      let entity = reader.schema.entity(name)
    else { return cell }
    cell.text = try reader.labels(entity, [key])[key] ?? "\(name) \(key)"
    return cell
  }

  private func members(_ index: Int, of key: Int64) throws -> RowDifferences.Value {
    let lists = table.lists[index]
    return RowDifferences.Value(
      property: lists.ours.property.name, here: try members(lists.ours, of: key, ours),
      there: try members(lists.theirs, of: key, theirs))
  }

  private func members(_ list: ListLayout, of key: Int64, _ reader: StoreReader) throws -> CellView? {
    guard case .join(let table, let owner, let member, let position) = list.kind,
      let destination = reader.schema.entity(list.destination)
    else { return nil }
    let pairs: SQLFragment = "FROM \(name: table) WHERE \(name: owner) = \(value: .integer(key))"
    let place: SQLFragment = position.map { "\(name: $0), " } ?? ""
    let count = try reader.database.integers("SELECT count(*) \(pairs)").first ?? 0
    let keys = try reader.database.integers(
      "SELECT \(name: member) \(pairs) ORDER BY \(place)\(name: member) LIMIT 10")
    guard count > 0 else { return CellView(text: "no rows") }
    let names = try reader.links(destination, keys).map(\.label) + (count > 10 ? ["…"] : [])
    return CellView(text: "\(counted(count, "row")): \(names.joined(separator: ", "))")
  }
}

extension CellView {
  /// The same value of another store, whose rows and images the page cannot show.
  fileprivate var withoutLinks: CellView {
    var view = self
    (view.key, view.entity, view.isImage) = (nil, nil, nil)
    return view
  }
}

// MARK: Cursors

/// A table's rows in key order.
private final class RowCursor {
  /// The current row's key; nil at the end.
  private(set) var key: Int64?
  let lists: [ListCursor]
  private let statement: Statement?

  init(
    _ file: FileDatabase, _ reader: StoreReader, _ entity: StudioSchema.Entity?, _ columns: [StudioSchema.Column],
    _ lists: [ListLayout], after: Int64?
  ) throws {
    self.lists = try lists.compactMap { try ListCursor(file, $0, after: after) }
    guard let entity else {
      statement = nil
      return
    }
    let key = reader.key(entity)
    let values = [key] + columns.map { "\(column: $0.sql, of: StoreReader.alias)" as SQLFragment }
    statement = try file.statement(
      """
      SELECT \(values.joined(separator: ", ")) FROM \(reader.table(entity))
      WHERE \(key) > \(value: .integer(after ?? .min)) ORDER BY \(key)
      """)
    try advance()
  }

  func advance() throws {
    guard let statement else { return }
    key = try statement.step() ? statement.integer(0) : nil
  }

  func value(_ column: Int, _ description: StudioSchema.Column) -> CellView? {
    statement.flatMap { CellView.read(description, $0, Int32(column + 1)) }
  }

  /// Returns true if both current rows have the same stored value.
  func isEqual(to other: RowCursor, _ column: Int) -> Bool {
    guard let row = statement?.handle, let otherRow = other.statement?.handle else { return false }
    let place = Int32(column + 1)
    let type = sqlite3_column_type(row, place)
    guard type == sqlite3_column_type(otherRow, place) else { return false }
    switch type {
    case SQLITE_INTEGER: return sqlite3_column_int64(row, place) == sqlite3_column_int64(otherRow, place)
    case SQLITE_FLOAT: return sqlite3_column_double(row, place) == sqlite3_column_double(otherRow, place)
    case SQLITE_NULL: return true
    default:
      let (bytes, otherBytes) = (Statement.bytes(row, place), Statement.bytes(otherRow, place))
      guard bytes.count == otherBytes.count, let start = bytes.baseAddress, let otherStart = otherBytes.baseAddress
      else { return bytes.count == otherBytes.count }
      return memcmp(start, otherStart, bytes.count) == 0
    }
  }
}

/// A join table's pairs in the order of their owners.
private final class ListCursor {
  private struct Pair: Equatable {
    var owner: Int64
    var member: Int64
    var position: Int64?
  }

  private var pair: Pair?
  private let statement: Statement

  /// Returns nil for a list without a join table.
  init?(_ file: FileDatabase, _ list: ListLayout, after: Int64?) throws {
    guard case .join(let table, let owner, let member, let position) = list.kind else { return nil }
    let place: SQLFragment = position.map { "\(name: $0)" } ?? "NULL"
    statement = try file.statement(
      """
      SELECT \(name: owner), \(name: member), \(place) FROM \(name: table)
      WHERE \(name: owner) > \(value: .integer(after ?? .min)) ORDER BY \(name: owner), \(name: member)
      """)
    try advance()
  }

  /// Returns true if an owner has the same members in both lists.
  func isEqual(to other: ListCursor, _ owner: Int64) throws -> Bool {
    try skip(to: owner)
    try other.skip(to: owner)
    while pair?.owner == owner || other.pair?.owner == owner {
      guard pair == other.pair else { return false }
      try advance()
      try other.advance()
    }
    return true
  }

  private func skip(to owner: Int64) throws {
    while let pair, pair.owner < owner { try advance() }
  }

  private func advance() throws {
    pair =
      try statement.step()
      ? Pair(
        owner: statement.integer(0), member: statement.integer(1),
        position: statement.isNull(2) ? nil : statement.integer(2)) : nil
  }
}
