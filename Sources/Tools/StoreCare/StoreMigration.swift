import Foundation
package import Trellis

/// Migrates a store file using schema files instead of the app.
package enum StoreMigration {
  package struct Report: Encodable, Sendable {
    package let store: String
    /// A backup from before the migration; `nil` if the migration changed no rows.
    package let backup: String?
  }

  /// - Parameters:
  ///   - schemas: The versions from the store's version to the target version.
  ///   - progress: Called with the migration's progress.
  package static func run(
    _ path: String, through schemas: [Schema], _ progress: @escaping @Sendable (MigrationProgress) -> Void
  ) throws -> Report {
    guard let last = schemas.last else { throw CareFailure("\(path): there is no version to migrate to") }
    let store = try ExaminedStore(path)
    let isHistoryOff = store.metadata.isHistoryOff
    // Backups are next to a symbolic link's target.
    let before = backups(of: store.path)
    var configuration = ModelConfiguration(schema: last, url: URL(fileURLWithPath: path))
    configuration.migration.observer = progress
    configuration.history.isRecorded = !isHistoryOff
    do {
      _ = try DefaultStore(configuration, identifier: nil, version: last.version, files: schemas)
    } catch let error as SwiftDataError {
      throw CareFailure("\(error.explanation ?? "\(error)")", isAboutStore: true)
    } catch let error as SQLiteError {
      throw CareFailure(error, path)
    }
    return Report(store: path, backup: backups(of: store.path).subtracting(before).sorted().first)
  }

  /// The backups next to a store.
  private static func backups(of path: String) -> Set<String> {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(
      names.filter { $0.hasPrefix(url.lastPathComponent + ".backup-") && !$0.hasSuffix("-external") }
        .map { "\(folder)/\($0)" })
  }
}
