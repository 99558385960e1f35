/// The database operations that a ``TableSave`` requires.
package protocol SaveDriver: AnyObject {
  /// Reserves keys for new rows.
  func newKeys(_ count: Int, of plan: EntityStatements) throws -> [Range<Int64>]
  /// Writes the changed columns for a run of updated snapshots.
  func update(_ positions: Range<Int>, _ plan: EntityStatements, of save: TableSave) throws
  /// Overwrites existing rows with all values from inserted snapshots.
  func overwrite(_ positions: [Int], _ plan: EntityStatements, of save: TableSave) throws
  func insert(_ group: TableSave.Group, of save: TableSave) throws
  func delete(_ groups: [(EntityStatements, [Int64])]) throws
  /// Returns the rows to delete that exist.
  func existing(_ keys: [Int64], _ plan: EntityStatements) throws -> [Int64]
  /// Calls `body` with the key and entity of each row that has any of the given members in a list.
  func visitOwners(
    of keys: [Int64], in list: ListPartners.List, _ body: (_ row: Int64, _ entity: String?) throws -> Void
  ) throws
  func writeTombstones(of keys: [Int64], _ plan: EntityStatements) throws
  func writeHistory(_ changes: [UInt8]) throws
  /// Returns the rows that have a unique value from any of the snapshots.
  func rows(
    withValuesOf snapshots: [DefaultSnapshot], _ constraint: Int, _ plan: EntityStatements, _ keys: KeyTable
  ) throws -> [Int64]
  /// Replaces a value in a unique constraint with an unused value.
  ///
  /// - Parameter columns: Column positions in the constraint.
  func displace(_ columns: [Int], of constraint: UniqueConstraint, _ keys: [Int64], _ plan: EntityStatements) throws
  /// Reads rows, excluding lists.
  func snapshots(of identifiers: [PersistentIdentifier]) throws -> [DefaultSnapshot]
  /// Returns a query's first column.
  func integers(_ query: SQLFragment) throws -> [Int64]
  func execute(_ statement: SQLFragment) throws
}
