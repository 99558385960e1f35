package import Foundation
import Trellis

/// A copied store.
package struct StoreCopyReport: Encodable, Sendable {
  package let store: String
  package var target: String
  package let bytes: Int64
  package let externalFiles: Int
  /// Referenced external files that are missing or have the wrong size.
  package let missingFiles: [String]
  /// SQLite's messages about damaged pages, which the copy contains as well.
  package let damagedPages: [String]
  /// Older backups that were removed.
  package var removed: [String] = []

  /// True if the copy contains everything that the store should contain.
  package var isComplete: Bool { missingFiles.isEmpty && damagedPages.isEmpty }
}

/// Copies stores that may be in use.
///
/// The copy is a consistent snapshot, created by SQLite's backup interface. Unlike `VACUUM INTO`, it copies raw pages:
/// it is faster, reports progress, keeps SQLite's schema counter (to which the store's metadata refers), and includes
/// damaged pages, so that the copy can be repaired.
package enum StoreCopier {
  /// - Parameters:
  ///   - target: The path for the copy, which must not exist.
  ///   - progress: Called with the copied fraction, from 0 to 1.
  package static func copy(
    _ path: String, to target: String, _ progress: (Double) -> Void = { _ in }
  ) throws -> StoreCopyReport {
    let (source, columns) = try source(path)
    do {
      let backup = try StoreBackup(of: source, at: target, columns: columns, progress)
      try backup.keep()
      let damage = try ExaminedStore(target).damage("quick_check").filter { !ExaminedStore.isAboutUnusedPage($0) }
      return StoreCopyReport(
        store: path, target: target, bytes: FileStamp.size(target), externalFiles: backup.fileNames.count,
        missingFiles: backup.missingFiles, damagedPages: damage)
    } catch let error as SQLiteError {
      throw CareFailure(error, error.isDiskFull ? target : path)
    } catch let error as FileError {
      throw CareFailure("\(target): cannot be written: \(error)")
    } catch let error as CocoaError {
      throw CareFailure("\(target): cannot be written: \(error.localizedDescription)")
    }
  }

  /// The store's path, and the existing columns that contain file names.
  private static func source(_ path: String) throws -> (path: String, columns: [ExternalFiles.Column]) {
    let store = try ExaminedStore(path)
    if let problem = store.folderProblem {
      throw CareFailure("\(store.path)-external: \(problem)", isAboutStore: true)
    }
    let columns = try store.catalogue.externalColumns.filter { column in
      try store.connection.rows("PRAGMA table_info(\(name: column.table))").contains { $0[1] == .text(column.name) }
    }
    return (store.path, columns)
  }

  // MARK: backups

  /// A backup's file name: the store's name with the time in UTC, `Trips-2026-05-17T091244.250Z.store`.
  package static func backupName(of path: String, at date: Date) -> String {
    let (stem, suffix) = parts(of: path)
    return "\(stem)-\(time.format(date))\(suffix)"
  }

  /// Removes a store's oldest backups from a folder. Only files that match the name pattern and contain the same store
  /// are backups.
  ///
  /// - Parameter newest: The path of the new backup, which is kept even if the name does not sort last.
  /// - Returns: The removed files.
  package static func prune(_ path: String, in folder: String, keeping count: Int, newest: String) throws
    -> [String]
  {
    let (stem, suffix) = parts(of: path)
    let identifier = try ExaminedStore(path).metadata.identifier
    let newest = URL(fileURLWithPath: newest).lastPathComponent
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      guard name.hasPrefix(stem + "-"), name.hasSuffix(suffix) else { return false }
      let date = name.dropFirst(stem.count + 1).dropLast(suffix.count)
      return name != newest && date.count == timeLength && (try? time.parse(String(date))) != nil
        && CompanionFile.isRegular("\(folder)/\(name)")
        && (try? ExaminedStore("\(folder)/\(name)").metadata.identifier) == identifier
    }.sorted()
    let old = names.dropLast(count - 1)
    for name in old {
      // The database is removed last, so that an interrupted removal is completed by the next backup.
      for part in ["-wal", "-shm", "-external", ""] {
        let file = "\(folder)/\(name)\(part)"
        if FileKind(at: file) != .nothing { try FileManager.default.removeItem(atPath: file) }
      }
    }
    return Array(old)
  }

  private static func parts(of path: String) -> (stem: String, suffix: String) {
    let url = URL(fileURLWithPath: path)
    return (url.deletingPathExtension().lastPathComponent, url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)")
  }

  private static let time = Date.ISO8601FormatStyle(
    dateSeparator: .dash, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZoneSeparator: .omitted,
    includingFractionalSeconds: true, timeZone: .gmt)
  private static let timeLength = "2026-05-17T091244.250Z".count
}
