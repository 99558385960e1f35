public import Foundation

/// An error that a store throws if it cannot perform a request.
///
/// A custom store throws ``preferInMemoryFilter`` or ``preferInMemorySort`` to leave the work to the context. A fetch
/// throws the remaining errors to the caller.
///
/// ```swift
/// /// Called by the store's `fetch(_:)` before it returns all models of a class.
/// func checkSupport<T>(_ request: DataStoreFetchRequest<T>) throws {
///   if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
///   if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
/// }
/// ```
public enum DataStoreError: Error, Hashable, Sendable {
  /// The store cannot interpret the predicate.
  case invalidPredicate
  /// The store cannot apply the filter. The context fetches all models and filters them.
  case preferInMemoryFilter
  /// The store cannot apply the sort order. The context sorts the models.
  case preferInMemorySort
  /// The store does not support the operation.
  case unsupportedFeature
}

extension DataStoreError: LocalizedError, CustomStringConvertible {
  /// The reason in English.
  public var description: String {
    switch self {
    case .invalidPredicate: "the store cannot interpret the predicate"
    case .preferInMemoryFilter: "the store leaves filtering to the context"
    case .preferInMemorySort: "the store leaves sorting to the context"
    case .unsupportedFeature: "the store does not support this"
    }
  }

  /// Equal to ``description``.
  public var errorDescription: String? { description }
}

/// The reason why a store cannot be opened or can no longer be used. Opening a store never changes or deletes
/// unrecognized data.
///
/// ```swift
/// do {
///   let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
/// } catch let error as SwiftDataError where error.storeProblem == .locked {
///   print("Close the other app that uses \(error.path ?? "the store"), and try again.")
/// }
/// ```
///
/// Not in SwiftData.
public enum StoreProblem: String, Sendable, Hashable, CaseIterable {
  /// A folder exists at the file path.
  case isFolder
  /// The file does not exist, and the store is read-only.
  case missing
  /// The store's folder cannot be created.
  case noFolder
  /// The user lacks permission to read the file.
  case notReadable
  /// The user lacks permission to write the file or folder.
  case notWritable
  /// The file is not a database, or the path refers to a pipe, a socket or a device.
  case notADatabase
  /// The file is a different app's database.
  case foreign
  /// The file is damaged.
  case damaged
  /// Another process has locked the file.
  case locked
  /// The file was written by a newer library version.
  case newerFormat
  /// The file was written with a newer schema version.
  case newerSchema
  /// The schema differs from the file's schema and requires a migration.
  case differentSchema
  /// The file's schema is not in the migration plan.
  case unknownSchema
  /// The file requires a migration to a newer schema version, and this process may not migrate it.
  case needsMigration
  /// A migration could not be completed. The file is unchanged.
  case migrationFailed
  /// The disk, the user's quota or the maximum file size is exhausted. The file is unchanged.
  case diskFull
  /// The tables do not match the schema recorded in the file, because another tool has changed them.
  case drifted
  /// The file was deleted or replaced while the store was open. Nothing was saved. Create a new container to use the
  /// current file.
  case replaced
  /// Any other failure in the file system or the database.
  case other
}

extension SwiftDataError {
  /// Returns the error for a store that cannot be opened.
  package static func opening(
    _ problem: StoreProblem, _ explanation: String, path: String?
  ) -> SwiftDataError {
    let kind: SwiftDataError =
      switch problem {
      case .newerSchema: .backwardMigration
      case .differentSchema, .unknownSchema: .unknownDataStoreSchema
      default: .loadIssueModelContainer
      }
    var error = kind.explained(explanation, path: path)
    error.storeProblem = problem
    return error
  }
}
