import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// Determines the stage from each schema version to the next.
///
/// The order of the version numbers is not enough: a hotfix may get a lower number than an existing version, and two
/// branches may release versions independently. A version leads to the last released version that has a
/// `migration from` block for it, or else to the head if the head has such a block. Otherwise it leads to the next
/// released version that was not released independently and whose migration loses no data. If there is no such
/// version, the head must continue it.
struct StageRoutes {
  private struct Pair: Hashable {
    let start: Int
    let end: Int
  }

  private let versions: [ResolvedSchema]
  /// The migration blocks of each version.
  private let migrations: [[ResolvedMigration]]
  /// The number of released versions in ``versions``: all, if the head is released.
  private let releasedCount: Int
  /// The versions that each version before the head continues directly.
  private var parents: [[Int]] = []
  private var planned: [Pair: PlannedStage] = [:]
  /// In the order of the target versions.
  private(set) var stages: [PlannedStage] = []
  /// Versions for which an unreleased head must have a `migration from` block, which may be empty.
  private(set) var undecided: [SchemaVersion] = []

  /// - Parameters:
  ///   - versions: All versions, oldest first and ending with the head.
  ///   - releasedHead: The released copy of the head.
  init(_ versions: [ResolvedSchema], releasedHead: ResolvedSchema?) {
    self.versions = versions
    migrations =
      versions.dropLast().map(\.migrations)
      + [(versions.last?.migrations ?? []) + (releasedHead?.migrations ?? [])]
    releasedCount = versions.count - (releasedHead == nil ? 1 : 0)
    for version in versions.indices.dropLast() { parents.append(findParents(of: version)) }
    var routes: [Pair] = []
    for start in versions.indices.dropLast() {
      if let end = route(from: start) { routes.append(Pair(start: start, end: end)) }
    }
    for route in routes.ordered(by: { $0.end < $1.end }) { stages.append(stage(from: route.start, to: route.end)) }
    if releasedHead == nil {
      let open = routes.filter { $0.end == versions.count - 1 }.map(\.start)
      undecided = open.filter { needsBlock($0, among: open) }.map { versions[$0].version }
    }
  }

  private mutating func route(from start: Int) -> Int? {
    let head = versions.count - 1
    let later = (start + 1)..<releasedCount
    if let end = later.last(where: { names(start, in: $0) }) { return end }
    if names(start, in: head) { return head }
    for end in later where !isSibling(start, of: end) && isLossless(from: start, to: end) { return end }
    return releasedCount <= head ? head : nil
  }

  /// Returns true if an unreleased head has no block for a version and is not certain to continue it.
  private mutating func needsBlock(_ start: Int, among open: [Int]) -> Bool {
    let head = versions.count - 1
    guard !names(start, in: head) else { return false }
    if start != head - 1 || isSibling(start, of: head) { return true }
    // Migrations on another branch changed values that are unchanged on this branch.
    let own = line(of: start)
    return open.contains { line(of: $0).subtracting(own).contains { changesValues($0) } }
  }

  // MARK: - Descent

  private func names(_ start: Int, in end: Int) -> Bool {
    migrations[end].contains { $0.from == versions[start].version }
  }

  /// Returns the versions for which a version has blocks, and the newest version that it continues without a block.
  private mutating func findParents(of version: Int) -> [Int] {
    let named = (0..<version).filter { names($0, in: version) }
    for earlier in (0..<version).reversed() {
      if named.contains(earlier) { break }
      if !isSibling(earlier, of: version), isLossless(from: earlier, to: version) { return named + [earlier] }
    }
    return named
  }

  /// Returns a version and all ancestors.
  private func line(of version: Int) -> Set<Int> {
    var found: Set<Int> = []
    var open = [version]
    while let next = open.popLast() {
      if found.insert(next).inserted { open += parents[next] }
    }
    return found
  }

  /// Returns true if `end` was released independently of an earlier version: it has a migration from an ancestor of
  /// that version, or lacks all changes that led to it.
  private mutating func isSibling(_ version: Int, of end: Int) -> Bool {
    let own = line(of: version)
    if own.contains(where: { $0 != version && names($0, in: end) }) { return true }
    return own.contains { changesValues($0) } && isUndone(version, by: end)
  }

  /// Returns true if `end` has none of the changes that led to a version, although migrations to that version change
  /// values. Rows of `end` then have the values from before these migrations, unless `end` reverts the changes.
  private mutating func isUndone(_ version: Int, by end: Int) -> Bool {
    let again = subjects(from: version, to: end)
    var changed: Set<String> = []
    var hasChangedValues = false
    var first = version
    while let parent = parents[first].max() {
      changed.formUnion(subjects(from: parent, to: first))
      guard changed.isSubset(of: again) else { return false }
      hasChangedValues = hasChangedValues || changesValues(first)
      first = parent
      if hasChangedValues, !changed.isEmpty, changed.isDisjoint(with: subjects(from: first, to: end)) { return true }
    }
    return false
  }

  private func changesValues(_ version: Int) -> Bool {
    migrations[version].flatMap(\.steps).contains { step in
      if case .accept = step { false } else { true }
    }
  }

  // MARK: - Stages

  private mutating func isLossless(from start: Int, to end: Int) -> Bool {
    !stage(from: start, to: end).diagnostics.hasErrors
  }

  private mutating func subjects(from start: Int, to end: Int) -> Set<String> {
    Set(stage(from: start, to: end).changes.filter { !$0.isOfOrder }.map(\.subject))
  }

  private mutating func stage(from start: Int, to end: Int) -> PlannedStage {
    let pair = Pair(start: start, end: end)
    if let stage = planned[pair] { return stage }
    let stage = StagePlanner(from: versions[start], to: versions[end], earlier: Array(versions[...start])).stage
    planned[pair] = stage
    return stage
  }
}
