/// The transaction of a save in one store.
///
/// A save begins the transactions of its stores, plans inside them, writes to all stores and commits. A store never
/// calls the context. Repeated attempts of a save use the same object.
package protocol StoreTransaction: AnyObject {
  /// When the context reads the commits of other connections.
  var commitReading: CommitReading { get }

  func begin() throws
  /// Writes the changes of a request, or checks them if the store has no transactions.
  ///
  /// - Parameter commitsNext: true if ``commit()`` follows, so that a server store may send both together.
  func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, commitsNext: Bool) throws
  /// Makes the changes of the request permanent.
  func commit() throws -> DataStoreSaveChangesResult<DefaultSnapshot>
  /// Releases the store and rolls back uncommitted changes. May be called at any time.
  func end()
  /// Returns true if a repeated attempt can succeed after an error. Called after ``end()``.
  func canRepeat(after error: any Error) throws -> Bool
}

extension StoreTransaction {
  package func canRepeat(after error: any Error) throws -> Bool { false }
}

/// When a save reads the commits of other connections.
package enum CommitReading {
  /// Before the transaction begins, because its first statement determines which state it reads.
  case before
  /// In the transaction, because nothing can be committed after its beginning.
  case inside
  /// Only if the transaction fails because of concurrent commits.
  case afterFailure
}
