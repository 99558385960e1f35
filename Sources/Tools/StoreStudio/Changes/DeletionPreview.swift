extension StoreReader {
  /// Returns what the deletion of a row would take with it, or what prevents it.
  func consequences(_ entity: String, key: Int64) throws -> DraftAnswer {
    let plan = try DraftPlan(Draft(deletes: [.init(entity: entity, key: "\(key)")]), self)
    guard plan.conflicts.isEmpty else { throw StudioError("'\(entity)' has no row \(key); it may have been deleted") }
    let walk = try DeletionWalk(plan, self)
    return DraftAnswer(
      outcome: walk.problems.isEmpty ? .trial : .invalid, problems: walk.problems,
      consequences: try walk.consequences())
  }
}
