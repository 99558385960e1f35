import Foundation

/// Files of older versions of the schema.
extension JSONFileOpener {
  /// The number the file is marked with: that of the plan's version, or what the file has. A file that
  /// was never opened with a plan has none, and is read by names.
  func version(of read: Read?) -> Schema.Version? {
    if let plan, let version = StoreOpener.version(of: schema, in: plan) {
      return version.versionIdentifier
    }
    return read?.version.map { Schema.Version(text: $0) }
  }

  /// What follows from the models of an older version; nil for a file of this one.
  func migrated(_ contents: Data) throws -> Read? {
    guard let plan, let stored = storedVersion(contents, plan) else { return nil }
    let current = StoreOpener.version(of: schema, in: plan)
    guard let current, current.versionIdentifier != stored else { return nil }
    guard current.versionIdentifier == plan.schemas.last?.versionIdentifier else {
      throw file.failure(
        .unknownSchema,
        "the file has version \(stored) of the schema, and the models of the container are not those of "
          + "the plan's last version")
    }
    let migration = try toldOf { try SnapshotMigration(plan, from: stored, storeIdentifier: "") }
    guard let migration else { return nil }
    let opener = JSONFileOpener(file: file, schema: migration.schema, plan: nil, configuration)
    let old = try opener.read(contents, version: stored)
    guard old.kept == nil else {
      throw file.failure(
        .migrationFailed,
        "the file has values that version \(stored) does not know, which would be lost; nothing was touched: "
          + "remove them, or write them with a program that knows them")
    }
    let engine = try toldOf { try migrated(old.engine, by: plan) }
    // The file's own history follows, with the gap that the stages leave in it.
    try engine.pool.exclusively { connection in
      guard try HistoryTables.exist(connection) else { return }
      try connection.write { try connection.execute("DELETE FROM \(name: HistoryTables.transactions)") }
    }
    let names = FormerNames(plan, of: schema)
    let tables = Set(engine.catalogue.layout.entities.map(\.table))
    var nextKeys: [String: Int64] = [:]
    for (name, next) in old.nextKeys {
      let table = tables.contains(name) ? name : names.current(name) ?? name
      nextKeys[table] = max(next, nextKeys[table] ?? 0)
    }
    return Read(
      engine: engine, kept: nil, nextKeys: nextKeys, version: "\(stored)",
      hops: migration.plans.map(JSONHistoryHop.init), former: JSONHistoryNames(old.engine.catalogue.layout),
      isMigrated: true)
  }

  /// Runs the stages over the models of an older version.
  private func migrated(
    _ older: DefaultStore, by plan: any SchemaMigrationPlan.Type
  ) throws -> DefaultStore {
    guard let last = plan.schemas.last else { return older }
    // Steps may concern models that this file does not keep.
    let whole = Schema(versionedSchema: last)
    let engine = try JSONFileOpener(file: file, schema: whole, plan: plan, configuration)
      .makeEngine(nil, over: older)
    guard SchemaFingerprint.text(of: schema) != SchemaFingerprint.text(of: whole) else { return engine }
    let part = try makeEngine(engine.identifier)
    try part.load(
      engine.allSnapshots().filter { snapshot in
        snapshot.batch.definition.map { schema.entitiesByName[$0.entityName] != nil } ?? false
      }, nextKeys: [:])
    return part
  }

  /// Writes a file that was migrated, after a copy of what it was.
  func keep(_ engine: DefaultStore, insteadOf contents: Data, of version: String?) throws {
    guard let lock = file.lock else { return }
    lock.give(to: file)
    let base = "\(file.path).backup-\(version ?? "")"
    var path = base
    var number = 2
    while FileManager.default.fileExists(atPath: path) {
      path = "\(base)-\(number)"
      number += 1
    }
    try copy(contents, to: path)
    do {
      try engine.pool.exclusively { connection in try connection.write {} }
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  private func copy(_ contents: Data, to path: String) throws {
    do {
      let handle = try CompanionFile.make(at: path, file.rights)
      defer { close(handle) }
      do {
        try CompanionFile.write(contents, to: handle)
      } catch {
        unlink(path)
        throw error
      }
    } catch {
      throw file.failure(
        error.isOutOfRoom ? .diskFull : .migrationFailed,
        "the store cannot be copied to '\(path)' before it is written anew, and is as it was: \(error)")
    }
  }

  /// Errors of a plan say of which file.
  private func toldOf<T>(_ body: () throws -> T) throws -> T {
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
