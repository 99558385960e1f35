package import Foundation
import SchemaModel
import SchemaReports
import StoreTransfer
import Trellis

/// Compares the studio's store with a second store, usually a backup.
///
/// Each request opens both stores, so that a long comparison blocks no view.
package struct StoreComparison: Sendable {
  private let store: URL
  private let other: URL
  private let limit: Duration

  /// - Parameter limit: The time limit for comparing rows.
  /// - Throws: `TransferError` and `CareFailure` if a store cannot be read.
  package init(_ store: URL, with other: URL, limit: Duration = .seconds(20)) throws {
    (self.store, self.other, self.limit) = (store, other, limit)
    _ = try summary()
  }

  func summary() throws -> ComparisonSummary {
    try read { try ComparisonSummary(StoreReader($0), StoreReader($1)) }
  }

  /// Compares the rows of an entity and its subclasses.
  ///
  /// - Parameter after: The ``RowDifferences/next`` of the previous answer. Only the first answer counts all rows.
  func differences(_ entity: String, after: Int64?) throws -> RowDifferences {
    try read { store, other in
      let (ours, theirs) = (try StoreReader(store), try StoreReader(other))
      let table = try ComparedTable(entity, ours.schema, theirs.schema)
      return try RowComparison(table: table, ours: ours, theirs: theirs, files: (store, other), limit: limit)
        .differences(after: after)
    }
  }

  /// Runs queries on consistent snapshots of both stores.
  private func read<T>(_ body: (FileDatabase, FileDatabase) throws -> T) throws -> T {
    let (ours, theirs) = (try FileDatabase(store), try FileDatabase(other))
    return try ours.read { try theirs.read { try body(ours, theirs) } }
  }
}

/// The differences between two stores' schemas, and the tables whose rows can be compared.
struct ComparisonSummary: Encodable, Sendable {
  struct Side: Encodable, Sendable {
    var path: String
    var schema: String
    var size: Int64
  }

  struct Table: Encodable, Sendable {
    var name: String
    var subclasses: [String]
    /// Properties that are missing in a store, or that have different types.
    var omitted: [String]
  }

  var store: Side
  var other: Side
  /// True if the stores have the same identifier, so that equal keys mean the same row.
  var areCopies: Bool
  /// The schema changes from the second store to the studio's store.
  var changes: [DiffReport.Change]
  var tables: [Table]
}

extension ComparisonSummary {
  fileprivate init(_ ours: StoreReader, _ theirs: StoreReader) throws {
    store = Side(ours)
    other = Side(theirs)
    areCopies = try ours.identifier() == theirs.identifier()
    changes = DiffReport(from: theirs.target.resolved, to: ours.target.resolved).changes
    let roots = ours.schema.roots.map(\.name)
    let names = roots + theirs.schema.roots.map(\.name).filter { !roots.contains($0) }
    tables = try names.map { name in
      let table = try ComparedTable(name, ours.schema, theirs.schema)
      let family = Set((ours.schema.family(name) + theirs.schema.family(name)).map(\.name))
      return Table(name: name, subclasses: family.subtracting([name]).sorted(), omitted: table.omitted)
    }
  }
}

extension ComparisonSummary.Side {
  fileprivate init(_ reader: StoreReader) {
    let resolved = reader.target.resolved
    path = reader.database.place
    schema = "\(resolved.name) \(resolved.version)"
    size = FileStamp.size(path)
  }
}

extension StoreReader {
  /// The store identifier, which copies share.
  fileprivate func identifier() throws -> String? {
    let rows = try database.rows(
      """
      SELECT "value" FROM \(name: StoreCatalogue.metadataTable) WHERE "key" = \
      \(value: .text(StoreMetadata.Key.identifier))
      """)
    if case .text(let text)? = rows.first?.first { return text }
    return nil
  }
}

// MARK: Tables

/// A root entity's table in both stores. A single store may have the entity.
struct ComparedTable {
  let name: String
  let ours: StudioSchema.Entity?
  let theirs: StudioSchema.Entity?
  let columns: [(ours: StudioSchema.Column, theirs: StudioSchema.Column)]
  /// Lists with join tables. The remaining lists are to-one relationships on the member side.
  let lists: [(ours: ListLayout, theirs: ListLayout)]
  let omitted: [String]

  /// - Parameter name: An entity without a superentity.
  init(_ name: String, _ ours: StudioSchema, _ theirs: StudioSchema) throws(StudioError) {
    self.name = name
    self.ours = ours.roots.first { $0.name == name }
    self.theirs = theirs.roots.first { $0.name == name }
    guard self.ours != nil || self.theirs != nil else { throw StudioError("no store has an entity '\(name)'") }
    let (own, other) = (ours.tableColumns(name), theirs.tableColumns(name))
    columns = own.compactMap { column in other.first { $0.matches(column) }.map { (column, $0) } }
    let (ownLists, otherLists) = (ours.joins(name), theirs.joins(name))
    lists = ownLists.compactMap { list in otherLists.first { $0.matches(list) }.map { (list, $0) } }
    let compared = Set(columns.map(\.ours.property) + lists.map(\.ours.property.name))
    let names = Set((own + other).map(\.property) + (ownLists + otherLists).map(\.property.name))
    omitted = self.ours == nil || self.theirs == nil ? [] : names.subtracting(compared).sorted()
  }
}

extension StudioSchema {
  /// The entities without a superentity.
  fileprivate var roots: [Entity] { entities.filter { $0.lineage.count == 1 } }

  /// The entities whose rows are in a root entity's table.
  fileprivate func family(_ root: String) -> [Entity] { entities.filter { $0.lineage.last == root } }

  /// The columns of a root entity's table, except the key.
  fileprivate func tableColumns(_ root: String) -> [Column] {
    guard let table = entity(root)?.table else { return [] }
    let columns = family(root).flatMap(\.columns)
    let known = Dictionary(columns.map { ($0.sql, $0) }, uniquingKeysWith: { first, _ in first })
    return table.columns.filter { !table.keys.contains($0.column) }.map { column in
      known[column.column]
        ?? Column(
          property: column.form == .className ? "class" : position(column.column, root) ?? column.name,
          sql: column.column, form: column.form, destination: nil, cases: [:])
    }
  }

  /// Names a column with the members' positions in an ordered list.
  private func position(_ column: String, _ root: String) -> String? {
    for entity in entities {
      let list = entity.layout.lists.first { list in
        list.orderColumn == column && self.entity(list.destination)?.lineage.last == root
      }
      if let list { return "position in \(entity.name).\(list.property.name)" }
    }
    return nil
  }

  fileprivate func joins(_ root: String) -> [ListLayout] {
    var tables: Set<String> = []
    return family(root).flatMap(\.layout.lists).filter { list in
      guard case .join(let table, let owner, _, _) = list.kind else { return false }
      return tables.insert("\(table).\(owner)").inserted
    }
  }
}

extension StudioSchema.Column {
  fileprivate func matches(_ other: Self) -> Bool {
    property == other.property && form == other.form && destination == other.destination
  }
}

extension ListLayout {
  fileprivate func matches(_ other: Self) -> Bool {
    guard case .join(_, _, _, let position) = kind, case .join(_, _, _, let otherPosition) = other.kind else {
      return false
    }
    return property.name == other.property.name && destination == other.destination
      && (position == nil) == (otherPosition == nil)
  }
}
