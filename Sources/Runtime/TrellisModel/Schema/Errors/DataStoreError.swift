public import Foundation

/// What a store answers when it cannot do what a request asks.
public enum DataStoreError: Error, Hashable, Sendable {
  /// The predicate means nothing to the store.
  case invalidPredicate
  /// The store cannot filter as asked: the context fetches everything and filters.
  case preferInMemoryFilter
  /// The store cannot sort as asked: the context sorts.
  case preferInMemorySort
  /// The store has no such ability.
  case unsupportedFeature
}

extension DataStoreError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidPredicate: "the store cannot make sense of the predicate"
    case .preferInMemoryFilter: "the store leaves filtering to the context"
    case .preferInMemorySort: "the store leaves sorting to the context"
    case .unsupportedFeature: "the store does not support this"
    }
  }

  public var errorDescription: String? { description }
}

/// Why a store cannot be opened, or not be used any more. Opening never changes or deletes a store it does not understand.
///
///     catch let error as SwiftDataError where error.storeProblem == .locked { … }
///
/// Not in SwiftData.
public enum StoreProblem: String, Sendable, Hashable, CaseIterable {
  /// There is a folder where the file should be.
  case isFolder
  /// There is no file, and the store is only to be read.
  case missing
  /// The folder of the store cannot be made.
  case noFolder
  /// This user may not read the file.
  case notReadable
  /// This user may not write the file or its folder.
  case notWritable
  /// The file is no database; or there is a pipe, a socket or a device in its place.
  case notADatabase
  /// The file is a database of another program.
  case foreign
  /// The file is damaged.
  case damaged
  /// Another program keeps the file locked.
  case locked
  /// The file was written by a newer version of this library.
  case newerFormat
  /// The file was written with a newer version of the schema.
  case newerSchema
  /// The schema differs from the file's in a way that needs a migration.
  case differentSchema
  /// The schema the file was written with is not one of the migration plan.
  case unknownSchema
  /// The file has to be brought to a newer version of the schema, and this program is not to do that.
  case needsMigration
  /// A migration could not be finished; the file is as it was.
  case migrationFailed
  /// There is no room on the disk, in the user's share of it, or in the size a file may have; the file is as it
  /// was.
  case diskFull
  /// The tables are not those the file's own schema describes: it was edited by other means.
  case drifted
  /// The file was deleted, or another one was put in its place, while the store was open. Nothing was saved: a
  /// new container works with what is there now.
  case replaced
  /// Any other failure of the file system or the database.
  case other
}

extension SwiftDataError {
  /// The error of a store that cannot be opened.
  package static func opening(
    _ problem: StoreProblem, _ explanation: String, path: String
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
