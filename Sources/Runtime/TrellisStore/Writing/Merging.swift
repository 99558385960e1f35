/// New models in a save that are merged with models that already have the same unique values.
struct Merging {
  private(set) var merges: [UniquenessCheck.Merge] = []
  /// The merged models' positions.
  private(set) var positions: Set<Int> = []
  /// By merge target, the position of the last new model whose values the target receives.
  private(set) var last: [PersistentIdentifier: Int] = [:]
  /// The rows that had any of the save's unique values before the save.
  private(set) var stored: [PersistentIdentifier: DefaultSnapshot] = [:]

  /// Creates an empty set of merges.
  init() {}

  /// Reads the rows that already have any of the save's unique values.
  ///
  /// A merge redirects references to the new model, so a constraint that includes a reference may match additional
  /// rows.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` if a constraint's policy rejects a value.
  init(of save: TableSave, through driver: any SaveDriver) throws {
    let request = save.request
    var keys = KeyTable()
    // No row refers to an unsaved model.
    for snapshot in request.inserted where snapshot.persistentIdentifier.isTemporary {
      if let serial = snapshot.persistentIdentifier.row { keys[serial] = -1 }
    }
    var read: Set<PersistentIdentifier> = []
    while true {
      let found = try Self.rows(of: save, keys, through: driver).subtracting(read)
      read.formUnion(found)
      for snapshot in try driver.snapshots(of: found.sorted()) { stored[snapshot.persistentIdentifier] = snapshot }
      var check = UniquenessCheck(request, save.plans.uniqueness)
      try check.run(stored: stored.keys.sorted().compactMap { stored[$0] })
      let saved = check.merges.filter { !$0.target.isTemporary }
      guard found.isEmpty || saved.isEmpty else {
        for merge in saved {
          if let serial = request.inserted[merge.position].persistentIdentifier.row { keys[serial] = merge.target.row }
        }
        continue
      }
      guard check.violations.isEmpty else { throw SwiftDataError.modelValidationFailure.listing(check.violations) }
      merges = check.merges
      positions = Set(merges.map(\.position))
      for merge in merges where !merge.isKept { last[merge.target] = merge.position }
      return
    }
  }

  /// Returns the rows that have a unique value from a snapshot.
  private static func rows(
    of save: TableSave, _ keys: KeyTable, through driver: any SaveDriver
  ) throws -> Set<PersistentIdentifier> {
    var found = Set<PersistentIdentifier>()
    func find(_ snapshots: [DefaultSnapshot], _ plan: EntityStatements) throws {
      for (number, constraint) in plan.constraints.enumerated() {
        let changed = snapshots[0].changed
        guard constraint.slots.contains(where: { changed?.contains($0) ?? true }) else { continue }
        for row in try driver.rows(withValuesOf: snapshots, number, plan, keys) {
          found.insert(PersistentIdentifier(token: plan.token, row: row))
        }
      }
    }
    for group in save.groups { try find(group.positions.map { save.request.inserted[$0] }, group.plan) }
    for run in save.updates { try find(Array(save.request.updated[run.positions]), run.plan) }
    return found
  }
}

extension ModelProperty {
  /// Returns a violation if the list has too few members; otherwise `nil`.
  func violation(of owner: PersistentIdentifier, count: Int) -> SwiftDataError.Violation? {
    // An empty list of an optional relationship may mean nil, which has no minimum.
    guard count < minimumCount, count > 0 || !isOptional else { return nil }
    return SwiftDataError.Violation(
      model: owner, properties: [name], rule: .minimumModelCount,
      reason: "holds \(count) models, at least \(minimumCount) are required")
  }
}
