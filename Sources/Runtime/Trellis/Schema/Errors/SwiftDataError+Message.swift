public import Foundation

extension SwiftDataError: LocalizedError, CustomStringConvertible {
  /// The kind, what happened and the way out, then one line per violation.
  public var description: String {
    var text = "\(kind.rawValue): \(explanation ?? message)"
    if let path { text += " (\(path))" }
    for violation in details { text += "\n  \(violation)" }
    for conflict in conflicts { text += "\n  \(conflict)" }
    return text
  }

  public var errorDescription: String? { description }

  private var message: String {
    switch kind {
    case .includePendingChangesWithBatchSize:
      "a fetch in buffers cannot include pending changes: save first, or set "
        + "'includePendingChanges' to false"
    case .sortingPendingChangesWithIdentifiers:
      "identifiers cannot be sorted while changes are pending: save first, or set "
        + "'includePendingChanges' to false"
    case .unsupportedKeyPath: "the key path does not lead to a stored property of the model"
    case .unsupportedPredicate: "the predicate cannot be evaluated"
    case .unsupportedSortDescriptor: "the sort descriptor cannot be applied"
    case .configurationFileNameContainsInvalidCharacters:
      "the configuration's name cannot be part of a file name: leave out '/' and control characters"
    case .configurationFileNameTooLong:
      "the configuration's name is too long for a file name: keep it below "
        + "\(CompanionFile.longestStoreName) bytes, '.store' included"
    case .configurationSchemaNotFoundInContainerSchema:
      "the configuration has models the container does not have: add them to the container"
    case .duplicateConfiguration: "two configurations of the container are for the same store"
    case .loadIssueModelContainer: "the store cannot be opened"
    case .modelValidationFailure: "models break rules of the schema; nothing was saved"
    case .failedRead: "the store failed to read what the program has used; nothing was saved"
    case .saveConflict:
      "others have saved values that this context has changed since it read them; nothing was saved: "
        + "roll back, fetch again and repeat the changes, or save them under the policy 'overwrite'"
    case .partialSave: "some stores have saved and others have not"
    case .missingModelContext: "the model has no context: insert it into one first"
    case .contextInUse:
      "another thread is using this context: a context belongs to one task or actor, so give each "
        + "its own, made from the container"
    case .invalidStoreAnswer: "a custom store has answered with something that cannot be"
    case .backwardMigration:
      "the store was written by a newer version of the schema: update the program"
    case .unknownSchema: "the schema is not known"
    case .unknownDataStoreSchema:
      "the store's schema is neither the current one nor one of the migration plan: add its "
        + "version to the plan"
    case .historyTokenExpired:
      "the history after the token was deleted: start again without a token"
    case .invalidTransactionFetchRequest: "no store can answer this request for history"
    }
  }
}
