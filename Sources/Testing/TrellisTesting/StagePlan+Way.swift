import Trellis

extension StagePlan {
  /// The steps from one plan version to a later one, each with its stage; nil for an inferred stage.
  ///
  /// - Returns: nil if the stages do not lead to the second version, for example from a second branch.
  static func way(
    of plan: any SchemaMigrationPlan.Type, from start: any VersionedSchema.Type, to end: any VersionedSchema.Type
  ) -> [(from: any VersionedSchema.Type, to: any VersionedSchema.Type, stage: StagePlan?)]? {
    let versions = plan.schemas
    let stages = all(of: plan)
    guard var current = versions.firstIndex(where: { $0 == start }),
      let last = versions.firstIndex(where: { $0 == end })
    else { return nil }
    var way: [(from: any VersionedSchema.Type, to: any VersionedSchema.Type, stage: StagePlan?)] = []
    while current < last {
      let (next, stage) = stages.next(after: current, in: versions)
      guard current < next, next <= last else { return nil }
      way.append((versions[current], versions[next], stage))
      current = next
    }
    return way
  }
}
