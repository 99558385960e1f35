public import Foundation

extension ModelContext {
  /// Saves all pending insertions, changes and deletions in a single transaction per store.
  ///
  /// ```swift
  /// context.insert(Trip(name: "Glaciers", destination: "Iceland", startDate: .now, endDate: .now + 604_800))
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error == .modelValidationFailure {
  ///   for violation in error.details { print(violation) }  // the model, the properties and the reason
  /// }
  /// ```
  ///
  /// Delete rules are applied first, then all changes are validated. If this function throws, nothing has been written
  /// and the pending changes are unaffected, except for ``SwiftDataError/partialSave``. If there are no changes, it
  /// does nothing and posts no notification.
  ///
  /// Changes made by ``willSave`` observers are included in the save; nested calls to `save()` have no effect. After
  /// the save, model observers are notified of changes made by the save, followed by ``didSave`` observers. Both may
  /// change models and save again; these changes are pending.
  ///
  /// If a different context or process has deleted a model with unsaved changes, saving reports a violation of
  /// ``SwiftDataError/Violation/Rule/deletedElsewhere``, because the changes can neither be saved nor silently
  /// discarded. Delete the model in this context to save the remaining changes, or call ``rollback()`` to discard all
  /// changes.
  ///
  /// If a store fails to read a relationship or attribute, the property appears empty. Saving then throws
  /// ``SwiftDataError/failedRead`` until the property has been read successfully or the context is rolled back.
  ///
  /// If there are several stores, all of them write before the first one commits. If a write fails, no store saves. If
  /// a commit fails after an earlier store has committed, this function throws ``SwiftDataError/partialSave``.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with all violations; ``SwiftDataError/unknownSchema`` if the
  ///   container lacks an inserted model's class; ``SwiftDataError/saveConflict`` under ``ConflictPolicy/fail``;
  ///   ``SwiftDataError/failedRead``; ``SwiftDataError/partialSave``; ``SwiftDataError/loadIssueModelContainer`` if the
  ///   store is read-only, or with the problem ``StoreProblem/replaced`` if its file was replaced; errors from the
  ///   stores.
  public func save() throws {
    // Also checked inside `performExclusively`, because a second thread may be changing models.
    guard try occupancy.performExclusively(.save, { hasChanges || !pending.dropped.isEmpty }) else { return }
    // A nested save by an observer is ignored; a concurrent save by a second thread is an error.
    if state.isSaving { return try occupancy.performExclusively(.save) {} }
    let info = try occupancy.performExclusively(.save) {
      state.isSaving = true
      defer { state.isSaving = false }
      if hasChanges { NotificationCenter.default.post(name: Self.willSave, object: self) }
      let info = try write()
      state.isUnsavable = false
      if !hasChanges { autosave?.cancel() }
      return info
    }
    if let info {
      NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: info)
    }
  }

  /// Writes the changes and returns the notification's `userInfo`, or `nil` if `willSave` observers left no changes.
  private func write() throws -> [AnyHashable: Any]? {
    try deferringNotifications {
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

  /// - Throws: ``SwiftDataError/unknownSchema`` if the container lacks an inserted model's class.
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
      "nothing was saved, because the container lacks the classes of inserted models; it has \(classes). "
        + "Add the classes when creating the container, delete the models from this context, or roll back"
    ).listing(violations)
  }

  /// Runs a closure and saves the changes together with earlier pending changes.
  ///
  /// ```swift
  /// try context.transaction {
  ///   let trip = Trip(name: "Glaciers", destination: "Iceland", startDate: .now, endDate: .now + 604_800)
  ///   context.insert(trip)
  ///   trip.photo = try Data(contentsOf: url)  // if this fails, the trip is not inserted
  /// }
  /// ```
  ///
  /// If the closure throws, the pending changes return to the state at entry, and nothing is written. The exception is
  /// a call to ``save()`` within the closure: that save remains, and all later changes are discarded. Changes made in a
  /// nested transaction are saved by the outermost transaction. If the final save fails, the changes remain pending, as
  /// after ``save()``.
  ///
  /// - Parameter block: Changes models in this context.
  /// - Throws: Errors from the closure; the same errors as ``save()``.
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
        reapplyDiscardedCommits()
      } else {
        rollback()
        if state.transactionDepth == 0 { state.readInTransaction = nil }
      }
      // The closure has undone a step whose states no longer match the models.
      if lastStep !== undo?.last { undo?.reset() }
      throw error
    }
    if state.transactionDepth == 0 { try save() }
  }

  /// Posted before a save. The object is the context; there is no `userInfo`.
  public static let willSave = Notification.Name("Trellis.ModelContext.willSave")

  /// Posted after a successful save. The object is the context; see ``NotificationKey``.
  public static let didSave = Notification.Name("Trellis.ModelContext.didSave")

  /// The keys of a ``didSave`` notification's `userInfo`. Their raw values are also keys.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: ModelContext.didSave, object: context, queue: nil
  /// ) { notification in
  ///   let key = ModelContext.NotificationKey.deletedIdentifiers
  ///   guard let deleted = notification.userInfo?[key] as? Set<PersistentIdentifier> else { return }
  ///   print("\(deleted.count) models deleted")
  /// }
  /// ```
  ///
  /// Identifiers are stored as a `Set<PersistentIdentifier>` under each key and as a `[PersistentIdentifier]` under
  /// the key's raw value, because apps written for SwiftData expect these types.
  public enum NotificationKey: String, Sendable {
    /// The permanent identifiers of inserted models.
    case insertedIdentifiers
    /// The identifiers of changed models.
    case updatedIdentifiers
    /// The identifiers of deleted models.
    case deletedIdentifiers
    /// Declared for SwiftData compatibility; notifications do not contain this key.
    case invalidatedAllIdentifiers
    /// Declared for SwiftData compatibility; notifications do not contain this key.
    case queryGeneration
    /// `[String: any HistoryToken]`: the history position after the save, by store identifier. Missing if no store has
    /// a history.
    case historyTokens

    /// A `userInfo` with no identifiers, created once because hashing the keys takes 20 % of a small save.
    private nonisolated(unsafe) static let noChanges: [AnyHashable: Any] =  // never written
      [insertedIdentifiers, updatedIdentifiers, deletedIdentifiers].reduce(into: Dictionary(minimumCapacity: 8)) {
        $0[$1] = Set<PersistentIdentifier>()
        $0[$1.rawValue] = [PersistentIdentifier]()
      }

    /// Returns a notification's `userInfo`.
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

  /// The `userInfo` keys of a ``didSave`` notification for a batch of snapshots. Their raw values are also keys.
  ///
  /// ```swift
  /// let observer = NotificationCenter.default.addObserver(
  ///   forName: ModelContext.didSave, object: context, queue: nil
  /// ) { notification in
  ///   let key = ModelContext.BatchNotificationKey.batchResult
  ///   guard let result = notification.userInfo?[key] as? BatchResult else { return }
  ///   print("\(result.insertedCount) new rows, \(result.updatedCount) overwritten")
  /// }
  /// ```
  ///
  /// Not in SwiftData.
  public enum BatchNotificationKey: String, Sendable {
    /// The batch's ``BatchResult``. Missing in notifications of regular saves.
    case batchResult
  }
}
