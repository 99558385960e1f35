public import Foundation
public import Trellis

/// Configures a store that consists of a single JSON file.
///
///     let container = try ModelContainer(for: Trip.self, configurations: JSONFileConfiguration(url: file))
public struct JSONFileConfiguration: DataStoreConfiguration, Sendable {
  public typealias Store = JSONFileStore
  /// Renames, removes and adds values in a model from an older version. Setting `values` to nil deletes the model.
  public typealias Migration =
    @Sendable (_ version: Schema.Version, _ entity: String, _ values: inout [String: JSONValue]?) throws -> Void

  public let name: String
  public var schema: Schema?
  /// The file. Its folder must exist.
  public let url: URL
  public let migrate: Migration?
  /// The maximum number of transactions in the history. A save deletes older transactions.
  public var historyLimit = 1_000

  /// - Parameter migrate: Migrates files from older versions; nil to reject them.
  public init(_ name: String? = nil, schema: Schema? = nil, url: URL, migrate: Migration? = nil) {
    self.name = name ?? url.deletingPathExtension().lastPathComponent
    self.schema = schema
    self.url = url
    self.migrate = migrate
  }

  /// Configurations for the same file are equal.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.path == rhs.path }
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// The path with symbolic links resolved, so that a save replaces the file and not a link to it.
  var path: String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}

/// The reasons why a file cannot be used.
public enum JSONFileError: Error, Equatable, CustomStringConvertible {
  /// The file is damaged, belongs to a different store, or cannot be read or written.
  case unusable(path: String, reason: String)
  /// A newer version of your app wrote the file.
  case newerVersion(path: String, version: Schema.Version)
  /// The file has an older version, and the configuration has no `migrate` closure.
  case needsMigration(path: String, version: Schema.Version)
  /// The file has values that are missing from the schema. The next save would lose them.
  case unknownProperties(path: String, names: [String])
  /// A concurrent process deleted a model that the save changes.
  case deletedModel(PersistentIdentifier)

  public var description: String {
    switch self {
    case .unusable(let path, let reason): "'\(path)' cannot be used: \(reason)"
    case .newerVersion(let path, let version): "'\(path)' has the newer version \(version); update the app"
    case .needsMigration(let path, let version): "'\(path)' has the older version \(version); pass 'migrate'"
    case .unknownProperties(let path, let names):
      "'\(path)' contains \(names.joined(separator: ", ")), which the schema lacks; increase the schema version, "
        + "and rename or remove the values in 'migrate'"
    case .deletedModel(let identifier): "a concurrent process deleted \(identifier)"
    }
  }
}
