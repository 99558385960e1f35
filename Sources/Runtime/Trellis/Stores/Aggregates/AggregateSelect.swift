/// A SELECT of aggregates, or of plain columns, over the rows of a descriptor.
struct AggregateSelect {
  var columns: [SQLFragment]
  var groupBy: [SQLFragment] = []
  /// Nil also when the condition is tested in Swift.
  var having: SQLFragment?
  /// True if SQL sorts the groups by `order`.
  var isOrdered = false
  var order: [SQLFragment] = []
  var limit: Int?
  /// True if each row is selected on its own.
  var isProjection = false
}

/// A value of an aggregate or a projection that its type cannot hold.
///
/// The columns of such a statement belong to no table, and the row of a group is not a row of one. The caller
/// therefore searches the row that has the value, and throws the error that a fetch would throw.
struct UnreadableColumn: Error, @unchecked Sendable {  // thrown and caught by one call
  let route: KeyPathRoute
  let error: StoredValueError
  let read: (inout StatementRow, Int32) throws -> Void
}
