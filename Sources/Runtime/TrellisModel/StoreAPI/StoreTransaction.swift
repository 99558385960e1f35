/// A save's transaction in a single store.
///
/// A save begins transactions in all affected stores, plans inside them, writes to all stores and commits. A store
/// never calls the context. Repeated save attempts use the same object.
package protocol StoreTransaction: AnyObject {
  /// Specifies when the context reads other connections' commits.
  var commitReading: CommitReading { get }

  func begin() throws
  /// Writes a request's changes, or checks them if the store has no transactions.
  ///
  /// - Parameter commitsNext: True if ``commit()`` follows, so that a server store may send both together.
  func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>, commitsNext: Bool) throws
  /// Makes the request's changes permanent.
  func commit() throws -> DataStoreSaveChangesResult<DefaultSnapshot>
  /// Releases the store and rolls back uncommitted changes. May be called at any time.
  func end()
  /// Returns true if a repeated attempt can succeed after an error. Called after ``end()``.
  func canRepeat(after error: any Error) throws -> Bool
}

extension StoreTransaction {
  package func canRepeat(after error: any Error) throws -> Bool { false }
}

/// Specifies when a save reads other connections' commits.
package enum CommitReading {
  /// Before the transaction begins, because its first statement determines the state that the transaction reads.
  case before
  /// In the transaction, because nothing else can be committed after the transaction has begun.
  case inside
  /// Only if the transaction fails because of concurrent commits.
  case afterFailure
}
