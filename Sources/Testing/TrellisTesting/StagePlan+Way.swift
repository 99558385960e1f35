import Trellis

extension StagePlan {
  /// The steps from a plan version to a later version, each with its stage; `nil` for an inferred stage.
  ///
  /// - Returns: `nil` if no stages connect the versions, for example if they are on different branches.
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
