package import SchemaDiagnostics
package import SchemaModel

/// A change to a relationship.
package struct RelationshipChange: ChangeDetail {
  package enum Aspect: Sendable, Equatable {
    case added, removed, renamed
    case destination, cardinality, deleteRule, inverse
    case minimumCount, maximumCount, order
    case hashModifier, originalName, defaultValue
    case access, setterAccess
  }

  /// The model's newest name.
  package let entity: String
  package let aspect: Aspect
  package var old: ResolvedRelationship?
  package var new: ResolvedRelationship?
  /// A new inverse, as `Model.property` in the declaring model, that may be unable to hold all existing links: a to-one
  /// inverse of a list, or an inverse with existing links.
  package var narrowing: String?

  static func changes(
    from old: ResolvedRelationship, of oldEntity: String, to new: ResolvedRelationship,
    of entity: String, _ names: NameHistory
  ) -> [Self] {
    var aspects: [Aspect] = []
    if old.name != new.name {
      aspects.append(.renamed)
    } else if old.originalName != new.originalName {
      aspects.append(.originalName)
    }
    if names.entity(old.destination) != new.destination { aspects.append(.destination) }
    if old.cardinality != new.cardinality { aspects.append(.cardinality) }
    if old.deleteRule != new.deleteRule { aspects.append(.deleteRule) }
    let inverse = old.inverseName.map { names.property($0, of: old.destination) }
    if inverse != new.inverseName { aspects.append(.inverse) }
    // A bound of 0 means no bound.
    if old.minimumCount ?? 0 != new.minimumCount ?? 0 { aspects.append(.minimumCount) }
    if old.maximumCount ?? 0 != new.maximumCount ?? 0 { aspects.append(.maximumCount) }
    if old.isOrdered != new.isOrdered { aspects.append(.order) }
    if old.hashModifier != new.hashModifier { aspects.append(.hashModifier) }
    if !Wording.isSame(old.defaultValue, new.defaultValue) { aspects.append(.defaultValue) }
    if old.access != new.access { aspects.append(.access) }
    if old.setterAccess != new.setterAccess { aspects.append(.setterAccess) }
    let narrowing = inverse == nil ? names.narrowing(inverseOf: new) : nil
    return aspects.map {
      Self(
        entity: entity, aspect: $0, old: old, new: new, narrowing: $0 == .inverse ? narrowing : nil)
    }
  }

  package var kind: String {
    let what =
      switch aspect {
      case .added: "added"
      case .removed: "removed"
      case .renamed: "renamed"
      case .destination: "destination-changed"
      case .cardinality: "cardinality-changed"
      case .deleteRule: "delete-rule-changed"
      case .inverse: "inverse-changed"
      case .minimumCount: "minimum-count-changed"
      case .maximumCount: "maximum-count-changed"
      case .order: "order-changed"
      case .hashModifier: "hash-modifier-changed"
      case .originalName: "original-name-changed"
      case .defaultValue: "default-changed"
      case .access: "access-changed"
      case .setterAccess: "setter-access-changed"
      }
    return "relationship-\(what)"
  }

  package var subject: String { "\(entity).\(new?.name ?? old?.name ?? "")" }

  package var effect: ChangeEffect {
    switch aspect {
    case .added: new?.fillsItself ?? true ? .automatic : .needsCode
    case .removed: .losesData
    case .destination: .needsCode
    case .cardinality: cardinalityEffect
    // Existing links become part of a different pair of relationships.
    case .inverse:
      old?.inverseName != nil && new?.inverseName != nil || narrowing != nil ? .needsCode : .automatic
    case .minimumCount:
      new?.minimumCount ?? 0 > old?.minimumCount ?? 0 ? .needsCode : .automatic
    case .maximumCount:
      isTighter(new?.maximumCount, than: old?.maximumCount) ? .needsCode : .automatic
    case .order: new?.isOrdered ?? true ? .automatic : .losesData
    case .renamed, .deleteRule, .hashModifier, .originalName, .defaultValue, .access,
      .setterAccess:
      .automatic
    }
  }

  private var cardinalityEffect: ChangeEffect {
    switch (old?.cardinality, new?.cardinality) {
    case (.toMany, .toOne): .losesData
    case (.toOne(isOptional: true), .toOne(isOptional: false)): .needsCode
    default: .automatic
    }
  }

  private func isTighter(_ new: Int?, than old: Int?) -> Bool {
    guard let new, new > 0 else { return false }
    guard let old, old > 0 else { return true }
    return new < old
  }

  package var text: String {
    let title = "relationship '\(subject)'"
    switch aspect {
    case .added: return "\(title) added" + (new.map { " with type '\($0.spelling)'" } ?? "")
    case .removed: return "\(title) removed" + (old.map { ", its type was '\($0.spelling)'" } ?? "")
    case .renamed:
      return "relationship '\(entity).\(old?.name ?? "")' renamed to '\(new?.name ?? "")'"
    case .destination:
      guard let name = new?.destination, name == old?.destination else {
        return "\(title): " + change("destination", \.destination)
      }
      return "\(title) refers to a different model, now named '\(name)'"
    case .cardinality: return "\(title): " + change("type", \.spelling)
    case .deleteRule: return "\(title): " + change("delete rule", { ".\($0.deleteRule.rawValue)" })
    case .inverse:
      return "\(title): " + change("inverse", \.inverseName)
        + (narrowing.map { ", and '\($0)' may be unable to hold all existing links" } ?? "")
    case .minimumCount: return "\(title): " + change("minimum count", { Self.bound($0.minimumCount) })
    case .maximumCount:
      return "\(title): " + change("maximum count", { Self.bound($0.maximumCount) })
    case .order: return "\(title) is \(new?.isOrdered ?? false ? "now" : "no longer") ordered"
    case .hashModifier: return "\(title): " + change("hash modifier", \.hashModifier)
    case .originalName: return "\(title): " + change("original name", \.originalName)
    case .defaultValue: return "\(title): " + change("default", { Wording.line($0.defaultValue) })
    case .access: return "\(title): " + change("access", \.access?.rawValue)
    case .setterAccess:
      return "\(title): " + change("setter access", \.setterAccess?.rawValue)
    }
  }

  /// A bound of 0 means no bound.
  private static func bound(_ count: Int?) -> String {
    count.flatMap { $0 > 0 ? "\($0)" : nil } ?? "none"
  }

  private func change(_ what: String, _ value: (ResolvedRelationship) -> String?) -> String {
    Wording.change(what, from: old.flatMap(value), to: new.flatMap(value))
  }

  package var oldRange: SourceRange? { old?.range }
  package var newRange: SourceRange? { new?.range }
}

extension NameHistory {
  /// Returns the new inverse of a relationship if the inverse may be unable to hold all existing links: a to-one
  /// inverse, or an inverse with existing links.
  fileprivate func narrowing(inverseOf relationship: ResolvedRelationship) -> String? {
    guard let name = relationship.inverseName else { return nil }
    var owner: String? = relationship.destination
    var steps = 0
    while let current = owner.flatMap({ name in new.entities.first { $0.name == name } }),
      steps <= new.entities.count
    {
      for pair in properties(of: current).pairs where pair.new.name == name {
        guard case .relationship(let inverse) = pair.new else { return nil }
        let isReference = if case .toOne = inverse.cardinality { true } else { false }
        let isList = relationship.isToMany
        var hadLinks = false
        if case .relationship? = pair.old { hadLinks = true }
        return isReference || isList && hadLinks ? "\(current.name).\(name)" : nil
      }
      owner = current.superentity
      steps += 1
    }
    return nil
  }
}

extension ResolvedRelationship {
  /// True if existing rows satisfy the new relationship.
  fileprivate var fillsItself: Bool {
    switch cardinality {
    case .toOne(let isOptional): isOptional
    case .toMany: minimumCount ?? 0 == 0
    }
  }
}
