public import Foundation

extension ModelContext {
  /// Writes every pending insertion, change and deletion: one transaction in each store.
  ///
  /// Delete rules are applied first, then everything is validated. When this throws, nothing was
  /// written and the pending changes are as they were, except for ``SwiftDataError/partialSave``. Without
  /// changes it does nothing, and posts nothing.
  ///
  /// What observers of ``willSave`` change is saved as well; a save they ask for is this one. Observers
  /// of models are told what the save itself has changed when it is done, then those of ``didSave``:
  /// both may change models and save again. What they change is pending, never lost.
  ///
  /// A model with unsaved changes that another context or program has deleted meanwhile is a violation of
  /// the rule ``SwiftDataError/Violation/Rule/deletedElsewhere``: its changes are nowhere to be saved, and not
  /// dropped in silence either. Delete it here too, and the rest is saved; ``rollback()`` drops all changes.
  ///
  /// A relationship that a store failed to read was empty for the program. Until it was read again, saving throws
  /// ``SwiftDataError/failedRead``.
  ///
  /// Several stores write one after the other and then commit. If a write fails, no store saves. If a commit fails
  /// after another store has committed, this throws ``SwiftDataError/partialSave``.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with every violation; ``SwiftDataError/unknownSchema`` for
  ///   an inserted model whose class the container does not have; ``SwiftDataError/saveConflict`` under
  ///   ``ConflictPolicy/fail``; ``SwiftDataError/failedRead``; ``SwiftDataError/partialSave``;
  ///   ``StoreProblem/replaced``; what the store throws.
  public func save() throws {
    // Changes are looked for inside of `occupy`, too, because a second thread may be changing models.
    guard try occupancy.occupy(.save, { hasChanges || !pending.dropped.isEmpty }) else { return }
    // A save asked for by an observer is this one; one asked for by another thread is a mistake.
    if state.isSaving { return try occupancy.occupy(.save) {} }
    let info = try occupancy.occupy(.save) {
      state.isSaving = true
      defer { state.isSaving = false }
      if hasChanges { NotificationCenter.default.post(name: Self.willSave, object: self) }
      let info = try write()
      state.isUnsavable = false
      if !hasChanges { autosave?.rest() }
      return info
    }
    if let info {
      NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: info)
    }
  }

  /// Writes the changes and returns the contents of the notification; nil if the observers of `willSave` left nothing to
  /// save.
  private func write() throws -> [AnyHashable: Any]? {
    try holdingNotifications {
      defer {
        state.isSaving = false
        state.keepAlive = []
        state.deletedRows = nil
        state.ahead.removeAll()
      }
      try refuseUnknownModels()
      guard hasChanges || !pending.dropped.isEmpty else { return nil }
      return try TracedStatement.scope(.save) { try SavePass(self).run() }
    }
  }

  /// - Throws: ``SwiftDataError/unknownSchema`` when a model was inserted whose class the container does not have.
  private func refuseUnknownModels() throws {
    guard !pending.unknownModels.isEmpty else { return }
    let classes = core.schema.entities.map { "'\($0.name)'" }.sorted().joined(separator: ", ")
    var violations: [SwiftDataError.Violation] = []
    for model in pending.unknownModels {
      do {
        _ = try core.store(of: type(of: model)._$definition)
      } catch let error as SwiftDataError {
        violations.append(
          SwiftDataError.Violation(
            model: model._$identifier, properties: [], reason: error.explanation ?? "is unknown"))
      }
    }
    throw SwiftDataError.unknownSchema.explained(
      "models were inserted whose classes the container does not have, and nothing was saved; it has \(classes). "
        + "Name their classes where the container is made, delete the models from this context or roll back"
    ).listing(violations)
  }

  /// Runs a block and saves its changes, together with the changes that were pending before.
  ///
  /// If the block throws, pending changes return to the state at entry, or to that of the last save in the block, and
  /// nothing is written. A transaction inside another one is saved by the outer one.
  ///
  /// - Throws: the error of the block, and as ``save()``.
  public func transaction(block: () throws -> Void) throws {
    let entry = PendingState(self)
    let savesBefore = state.saves
    let lastStep = undo?.last
    do {
      state.transactionDepth += 1
      defer { state.transactionDepth -= 1 }
      try block()
      if state.transactionDepth == 1 { state.readInTransaction = nil }
    } catch {
      if state.saves == savesBefore {
        entry.restore(self)
        takeAgainWhatWasRead()
      } else {
        rollback()
        if state.transactionDepth == 0 { state.readInTransaction = nil }
      }
      // The block has undone a step, whose states do not match the models any more.
      if lastStep !== undo?.last { undo?.reset() }
      throw error
    }
    if state.transactionDepth == 0 { try save() }
  }

  /// Posted before a save. The object is the context; there is no `userInfo`.
  public static let willSave = Notification.Name("Trellis.ModelContext.willSave")

  /// Posted after a successful save. The object is the context; see ``NotificationKey``.
  public static let didSave = Notification.Name("Trellis.ModelContext.didSave")

  /// The keys of a ``didSave`` notification's `userInfo`; their raw values are keys, too.
  ///
  /// Identifiers are a `Set<PersistentIdentifier>` under a key and a `[PersistentIdentifier]` under its raw value: programs for
  /// SwiftData cast them so.
  public enum NotificationKey: String, Sendable {
    /// The identifiers of the inserted models, which are permanent.
    case insertedIdentifiers
    /// The identifiers of the changed models.
    case updatedIdentifiers
    /// The identifiers of the deleted models.
    case deletedIdentifiers
    /// The identifiers of models that have to be read again, as a set.
    case invalidatedAllIdentifiers
    /// A number that grows with every save of the context.
    case queryGeneration
    /// `[String: any HistoryToken]`: where the history of each store that has one stands after the
    /// save, by store identifier.
    case historyTokens

    /// The `userInfo` without identifiers. Hashing its keys takes a fifth of a small save.
    private nonisolated(unsafe) static let noChanges: [AnyHashable: Any] =  // never written
      [insertedIdentifiers, updatedIdentifiers, deletedIdentifiers].reduce(into: Dictionary(minimumCapacity: 8)) {
        $0[$1] = Set<PersistentIdentifier>()
        $0[$1.rawValue] = [PersistentIdentifier]()
      }

    /// The `userInfo` of a notification.
    static func info(
      inserted: [PersistentIdentifier] = [], updated: [PersistentIdentifier], deleted: [PersistentIdentifier] = [],
      _ tokens: [String: any HistoryToken]
    ) -> [AnyHashable: Any] {
      var info = noChanges
      let changes = [(insertedIdentifiers, inserted), (updatedIdentifiers, updated), (deletedIdentifiers, deleted)]
      for (key, identifiers) in changes where !identifiers.isEmpty {
        info[key] = Set(identifiers)
        info[key.rawValue] = identifiers
      }
      if !tokens.isEmpty {
        info[historyTokens] = tokens
        info[historyTokens.rawValue] = tokens
      }
      return info
    }
  }

  /// The keys of a ``didSave`` notification for a batch of snapshots; their raw values are keys, too. Not in SwiftData.
  public enum BatchNotificationKey: String, Sendable {
    /// The ``BatchResult``.
    case batchResult
  }
}
