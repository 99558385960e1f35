/// The rules for every migration plan, whatever store is opened with it.
package enum PlanRules {
  /// - Throws: ``SwiftDataError/unknownSchema`` for a plan that cannot be carried out. New stores check it, too, so
  ///   that the author of a plan sees the error before a user with an old store does.
  package static func check(_ plan: any SchemaMigrationPlan.Type) throws {
    let versions = plan.schemas
    try checkOrder(versions)
    try check(StagePlan.all(of: plan), among: versions.map { ObjectIdentifier($0) }, versions)
  }

  private static func checkOrder(_ versions: [any VersionedSchema.Type]) throws {
    for (version, next) in zip(versions, versions.dropFirst()) {
      let (number, after) = (version.versionIdentifier, next.versionIdentifier)
      // Stores would go back, and lose what only the newer one has.
      if after < number {
        throw failure("its 'schemas' have version \(after) after \(number): list the oldest one first")
      }
      if after == number {
        throw failure(
          version == next
            ? "its 'schemas' have '\(version)' twice: leave one of the two out"
            : "its 'schemas' have two versions \(number), '\(version)' and '\(next)': give each a number of its own")
      }
    }
  }

  private static func check(
    _ stages: [StagePlan], among all: [ObjectIdentifier], _ versions: [any VersionedSchema.Type]
  ) throws {
    var starts = Set<Int>()
    for stage in stages {
      guard let from = all.firstIndex(of: ObjectIdentifier(stage.fromVersion)),
        let to = all.firstIndex(of: ObjectIdentifier(stage.toVersion))
      else { throw failure("its stage \(text(stage)) names a version that is not among its 'schemas'") }
      guard from < to else { throw failure("its stage \(text(stage)) does not lead to a newer version") }
      guard starts.insert(from).inserted else {
        throw failure("two of its stages start from version \(versions[from].versionIdentifier)")
      }
    }
  }

  private static func text(_ stage: StagePlan) -> String {
    "\(stage.fromVersion.versionIdentifier) → \(stage.toVersion.versionIdentifier)"
  }

  static func failure(_ reason: String) -> SwiftDataError {
    .unknownSchema.explained("the migration plan cannot be followed: \(reason)")
  }
}
