/// The statements of a database for a ``TableSave``.
package protocol SaveDriver: AnyObject {
  /// Takes keys for new rows.
  func takeKeys(_ count: Int, of plan: EntityStatements) throws -> [Range<Int64>]
  /// Writes the changed columns of a run of updated snapshots.
  func update(_ positions: Range<Int>, _ plan: EntityStatements, of save: TableSave) throws
  /// Gives existing rows all values of inserted snapshots.
  func overwrite(_ positions: [Int], _ plan: EntityStatements, of save: TableSave) throws
  func insert(_ group: TableSave.Group, of save: TableSave) throws
  func delete(_ groups: [(EntityStatements, [Int64])]) throws
  /// Returns the rows to delete that exist.
  func existing(_ keys: [Int64], _ plan: EntityStatements) throws -> [Int64]
  /// Calls `body` with the rows whose lists have one of some rows, and their entities.
  func visitOwners(
    of keys: [Int64], in list: ListPartners.List, _ body: (_ row: Int64, _ entity: String?) throws -> Void
  ) throws
  func writeTombstones(of keys: [Int64], _ plan: EntityStatements) throws
  func writeHistory(_ changes: [UInt8]) throws
  /// Returns the rows with a unique value of one of some snapshots.
  func rows(
    withValuesOf snapshots: [DefaultSnapshot], _ constraint: Int, _ plan: EntityStatements, _ keys: KeyTable
  ) throws -> [Int64]
  /// Puts an unused value into one of some columns of a unique constraint.
  ///
  /// - Parameter columns: positions in the constraint.
  func displace(_ columns: [Int], of constraint: UniqueConstraint, _ keys: [Int64], _ plan: EntityStatements) throws
  /// Reads rows without their lists.
  func snapshots(of identifiers: [PersistentIdentifier]) throws -> [DefaultSnapshot]
  /// Returns the first column of a query.
  func integers(_ query: SQLFragment) throws -> [Int64]
  func execute(_ statement: SQLFragment) throws
}
