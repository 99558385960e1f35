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
    let way = try toldOf { try SnapshotMigration(plan, from: stored, storeIdentifier: "") }
    guard let way else { return nil }
    let old = try JSONFileOpener(file: file, schema: way.schema, plan: nil, configuration).read(contents)
    guard old.kept == nil else {
      throw file.failure(
        .migrationFailed,
        "the file has values that version \(stored) does not know, which would be lost; nothing was touched: "
          + "remove them, or write them with a program that knows them")
    }
    var snapshots = try toldOf {
      try SnapshotMigration(plan, from: stored, storeIdentifier: old.engine.identifier)?
        .run(old.engine.allSnapshots()) ?? []
    }
    let engine = try makeEngine(old.engine.identifier)
    let names = FormerNames(plan, of: schema)
    var nextKeys: [String: Int64] = [:]
    for (name, next) in old.nextKeys {
      let table = engine.layoutTables.contains(name) ? name : names.current(name) ?? name
      nextKeys[table] = max(next, nextKeys[table] ?? 0)
    }
    try number(&snapshots, &nextKeys, in: engine)
    do {
      try engine.load(snapshots, nextKeys: nextKeys)
    } catch {
      throw file.failure(
        .migrationFailed,
        "the models of version \(stored) do not follow the rules of \(current.versionIdentifier), and the file is "
          + "as it was: \(error)")
    }
    return Read(
      engine: engine, kept: nil, nextKeys: nextKeys, version: "\(stored)",
      hops: way.ways.map(JSONHistoryHop.init), former: JSONHistoryNames(old.engine.catalogue.layout),
      isMigrated: true)
  }

  /// Gives models that stages have made numbers nobody has had.
  private func number(
    _ snapshots: inout [DefaultSnapshot], _ nextKeys: inout [String: Int64], in engine: DefaultStore
  ) throws {
    var unnumbered: [(index: Int, root: EntityLayout)] = []
    for (index, snapshot) in snapshots.enumerated() {
      let name = snapshot.batch.definition?.entityName ?? snapshot.persistentIdentifier.entityName
      let entity = try engine.plans.plan(named: name).entity
      if let row = snapshot.persistentIdentifier.row {
        nextKeys[entity.table] = max(row == .max ? row : row + 1, nextKeys[entity.table] ?? 1)
      } else {
        unnumbered.append((index, entity))
      }
    }
    guard !unnumbered.isEmpty else { return }
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for (index, entity) in unnumbered {
      let next = nextKeys[entity.table] ?? 1
      nextKeys[entity.table] = next == .max ? next : next + 1
      remapped[snapshots[index].persistentIdentifier] = PersistentIdentifier(
        token: .interned(store: engine.identifier, entity: entity.rootName), row: next)
    }
    snapshots = snapshots.map { snapshot in
      let identifier = snapshot.persistentIdentifier
      return snapshot.copy(
        persistentIdentifier: remapped[identifier] ?? identifier, remappedIdentifiers: remapped)
    }
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

extension DefaultStore {
  fileprivate var layoutTables: Set<String> { Set(catalogue.layout.entities.map(\.table)) }

  /// All there is, with every list.
  fileprivate func allSnapshots() throws -> [DefaultSnapshot] {
    func fetched<M: PersistentModel>(_: M.Type) throws -> [DefaultSnapshot] {
      try fetch(DataStoreFetchRequest<M>(descriptor: FetchDescriptor(), editingState: EditingState()))
        .fetchedSnapshots
    }
    return try catalogue.layout.entities.filter { $0.name == $0.rootName }
      .flatMap { try fetched($0.definition.modelType) }
  }
}
