import Foundation
import Trellis

/// Files of older versions of the schema.
extension JSONFileOpener {
  /// Reads a file of an older version and migrates its models; nil for a file of this version.
  func migrated(_ text: Data) throws -> Read? {
    // `read(_:)` tells what is wrong with a file that cannot be read.
    guard let plan, let found = try? JSONContents(text).schema, let stored = found.version(for: schema, plan) else {
      return nil
    }
    let current = DefaultStore.version(of: schema, in: plan)
    guard let current, current != stored else { return nil }
    guard current == plan.schemas.last?.versionIdentifier else {
      throw file.failure(
        .unknownSchema,
        "the file has version \(stored) of the schema, and the models of the container are not those of "
          + "the plan's last version")
    }
    let migration = try naming { try SnapshotMigration(plan, from: stored, storeIdentifier: "") }
    guard let migration else { return nil }
    let old = try JSONFileOpener(file: file, schema: migration.schema, plan: nil, configuration)
      .read(text, version: stored)
    guard old.kept.isEmpty else {
      throw file.failure(
        .migrationFailed,
        "the file has values that version \(stored) does not know, which would be lost; nothing was touched: "
          + "remove them, or write them with a program that knows them")
    }
    let engine = try naming { try old.engine.migrated(by: plan, to: engineConfiguration, path: file.path) }
    return Read(
      engine: engine, kept: old.kept, nextKeys: engine.renamedTables(old.nextKeys, plan), version: stored,
      stages: migration.plans.map(RenamingStage.init), isMigrated: true)
  }

  /// Writes a file that was migrated, after a copy of the old one.
  func keep(_ contents: Data, of read: Read) throws {
    guard let lock = file.lock else { return }
    lock.give(to: file)
    let base = "\(file.path).backup-\(read.version.map { "\($0)" } ?? "")"
    var path = base
    var number = 2
    while FileManager.default.fileExists(atPath: path) {
      path = "\(base)-\(number)"
      number += 1
    }
    do {
      try CompanionFile.make(at: path, file.rights, contents)
    } catch {
      throw file.failure(
        error.isOutOfRoom ? .diskFull : .migrationFailed,
        "the store cannot be copied to '\(path)' before it is written anew, and is as it was: \(error)")
    }
    do {
      try read.engine.commit()
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// Names the file in errors of a plan.
  private func naming<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SwiftDataError where error.storeProblem == nil {
      let problem: StoreProblem =
        switch error {
        case .backwardMigration: .newerSchema
        case .unknownDataStoreSchema: .unknownSchema
        default: .migrationFailed
        }
      throw file.failure(problem, "\(error); nothing was touched")
    }
  }
}
