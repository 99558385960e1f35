import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// Finds pairs of removed and added declarations that are probably renames.
///
/// Scores are integer sums, so they are the same on every platform, and they only affect diagnostics. A pair counts
/// only if neither declaration has a better match. All pairs with equal scores are reported.
struct ProbableRenames {
  /// The lowest score for similar declarations.
  static let threshold = 60

  private var found: [String: [RenameCandidate]] = [:]
  private var news: Set<String> = []

  init(_ unhandled: [SchemaChange], _ changes: [SchemaChange], _ names: Counterparts) {
    var scores: [(old: String, candidate: RenameCandidate)] = []
    for case .entity(.removed(let old)) in unhandled {
      for case .entity(.added(let new)) in changes {
        let score = RenameScore(from: old, to: new)
        scores.append((old.name, score.candidate(new.name, "@Model(originalName: \"\(old.name)\")", new.range)))
      }
    }
    for removal in unhandled {
      guard let (entity, old) = removal.removedProperty else { continue }
      for addition in changes {
        guard let (owner, new) = addition.addedProperty, owner == entity, let place = addition.newPlace(of: old)
        else { continue }
        let score = RenameScore(from: old, to: new)
        scores.append((removal.subject, score.candidate(addition.subject, place, new.range)))
      }
    }
    let likely = scores.filter { $0.candidate.score >= Self.threshold }
    for (old, candidate) in likely {
      let rivals = likely.filter { $0.old == old || $0.candidate.new == candidate.new }
      guard candidate.score == rivals.map(\.candidate.score).max() else { continue }
      found[old, default: []].append(candidate)
      news.insert(candidate.new)
    }
  }

  func successors(of change: SchemaChange) -> [RenameCandidate] {
    if case .entity(.removed(let entity)) = change { return found[entity.name] ?? [] }
    return change.removedProperty == nil ? [] : found[change.subject] ?? []
  }

  /// Returns true if the diagnostic for a removal already covers the change.
  func isSuccessor(_ change: SchemaChange) -> Bool {
    if case .entity(.added) = change { return news.contains(change.subject) }
    if isOtherEnd(change) { return true }
    return change.addedProperty != nil && news.contains(change.subject)
  }

  /// Returns true if a relationship's new inverse is the probable new name of the old inverse.
  private func isOtherEnd(_ change: SchemaChange) -> Bool {
    guard case .relationship(let detail) = change, detail.aspect == .inverse, let new = detail.new,
      case .property(let before)? = detail.old?.inverse, case .property(let after) = new.inverse
    else { return false }
    return found["\(new.destination).\(before)"]?.contains { $0.new == "\(new.destination).\(after)" } ?? false
  }
}

extension SchemaChange {
  fileprivate var removedProperty: (entity: String, property: ResolvedProperty)? {
    switch self {
    case .attribute(let change) where change.aspect == .removed:
      change.old.map { (change.entity, .attribute($0)) }
    case .relationship(let change) where change.aspect == .removed:
      change.old.map { (change.entity, .relationship($0)) }
    default: nil
    }
  }

  fileprivate var addedProperty: (entity: String, property: ResolvedProperty)? {
    switch self {
    case .attribute(let change) where change.aspect == .added:
      change.new.map { (change.entity, .attribute($0)) }
    case .relationship(let change) where change.aspect == .added:
      change.new.map { (change.entity, .relationship($0)) }
    default: nil
    }
  }

  fileprivate func newPlace(of old: ResolvedProperty) -> String? {
    switch (self, old) {
    case (.attribute, .attribute(let old)): "@Attribute(originalName: \"\(old.name)\")"
    case (.relationship, .relationship(let old)): "@Relationship(originalName: \"\(old.name)\")"
    default: nil
    }
  }
}
