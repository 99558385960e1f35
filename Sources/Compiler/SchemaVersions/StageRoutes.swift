import SchemaDiagnostics
import SchemaModel

/// The stage from each version of a schema to the next one on the way of its stores.
///
/// The order of the numbers is not enough: a hotfix is released below a number that exists, and two branches can both
/// release. A version leads to the last released version with a `migration from` it. Without such a block it leads to
/// the next released version whose stage loses nothing. If there is none, no released version continues it, and the
/// head has to.
struct StageRoutes {
  private let versions: [ResolvedSchema]
  /// The blocks of each version.
  private let migrations: [[ResolvedMigration]]
  /// The released versions among ``versions``: all, if the head is released.
  private let releasedCount: Int
  /// In the order of the versions they lead to.
  private(set) var stages: [PlannedStage] = []

  /// - Parameters:
  ///   - versions: oldest first, with the head.
  ///   - releasedHead: the released copy of the head.
  init(_ versions: [ResolvedSchema], releasedHead: ResolvedSchema?) {
    self.versions = versions
    migrations =
      versions.dropLast().map(\.migrations)
      + [(versions.last?.migrations ?? []) + (releasedHead?.migrations ?? [])]
    releasedCount = versions.count - (releasedHead == nil ? 1 : 0)
    let found = versions.indices.dropLast().compactMap { route(from: $0) }
    stages = found.ordered { $0.end < $1.end }.map(\.stage)
  }

  private func route(from start: Int) -> (end: Int, stage: PlannedStage)? {
    let later = (start + 1)..<max(start + 1, releasedCount)
    if let end = later.last(where: { names(start, in: $0) }) { return (end, stage(from: start, to: end)) }
    for end in later where !isSibling(start, of: end) {
      let stage = stage(from: start, to: end)
      if !stage.diagnostics.hasErrors { return (end, stage) }
    }
    let head = versions.count - 1
    return releasedCount <= head ? (head, stage(from: start, to: head)) : nil
  }

  private func names(_ start: Int, in end: Int) -> Bool {
    migrations[end].contains { $0.from == versions[start].version }
  }

  /// True if a version was released without knowledge of another one: it has a migration from a version that the
  /// other one continues.
  private func isSibling(_ version: Int, of end: Int) -> Bool {
    (0..<version).contains { names($0, in: end) && !stage(from: $0, to: version).diagnostics.hasErrors }
  }

  private func stage(from start: Int, to end: Int) -> PlannedStage {
    StagePlanner(from: versions[start], to: versions[end], earlier: Array(versions[...start])).stage
  }
}
