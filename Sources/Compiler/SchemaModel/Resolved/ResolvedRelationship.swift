package import SchemaDiagnostics

/// A stored property whose type is a model, an optional model or an array of models.
package final class ResolvedRelationship: Sendable {
  package enum Cardinality: Sendable, Equatable {
    /// `Trip` or `Trip?`.
    case toOne(isOptional: Bool)
    /// `[Trip]` or `[Trip]?`.
    case toMany(isOptional: Bool)
  }

  /// The opposite side of a relationship.
  package enum Inverse: Sendable, Equatable {
    /// A property of the destination, either written on one of the sides or inferred as the only candidate.
    case property(String)
    /// `inverse: nil` is written, or no candidate exists.
    case none
  }

  package let name: String
  package let originalName: String?
  package let hashModifier: String?
  package let destination: String
  package let cardinality: Cardinality
  package let deleteRule: DeleteRule
  /// The reason shown in the error if the deletion is refused.
  package let denyMessage: String?
  package let inverse: Inverse
  /// True if the generated metadata states `inverse:` on this side.
  package let declaresInverse: Bool
  /// nil and 0 both mean unbounded.
  package let minimumCount: Int?
  package let maximumCount: Int?
  package let isOrdered: Bool
  package let isUnique: Bool
  /// `= []`, `= nil`, `= [Item]()`, as written.
  package let defaultValue: SwiftText?
  package let access: AccessLevel?
  package let setterAccess: AccessLevel?
  package let documentation: [String]
  package let range: SourceRange

  package init(
    name: String, originalName: String? = nil, hashModifier: String? = nil, destination: String,
    cardinality: Cardinality, deleteRule: DeleteRule = .nullify, denyMessage: String? = nil,
    inverse: Inverse = .none, declaresInverse: Bool = false, minimumCount: Int? = nil, maximumCount: Int? = nil,
    isOrdered: Bool = false, isUnique: Bool = false, defaultValue: SwiftText? = nil,
    access: AccessLevel? = nil, setterAccess: AccessLevel? = nil, documentation: [String] = [],
    range: SourceRange
  ) {
    self.name = name
    self.originalName = originalName
    self.hashModifier = hashModifier
    self.destination = destination
    self.cardinality = cardinality
    self.deleteRule = deleteRule
    self.denyMessage = denyMessage
    self.inverse = inverse
    self.declaresInverse = declaresInverse
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.isOrdered = isOrdered
    self.isUnique = isUnique
    self.defaultValue = defaultValue
    self.access = access
    self.setterAccess = setterAccess
    self.documentation = documentation
    self.range = range
  }

  /// Returns a copy with an inverse.
  func connected(to inverse: String, declares: Bool) -> ResolvedRelationship {
    ResolvedRelationship(
      name: name, originalName: originalName, hashModifier: hashModifier, destination: destination,
      cardinality: cardinality, deleteRule: deleteRule, denyMessage: denyMessage, inverse: .property(inverse),
      declaresInverse: declares,
      minimumCount: minimumCount, maximumCount: maximumCount, isOrdered: isOrdered, isUnique: isUnique,
      defaultValue: defaultValue, access: access, setterAccess: setterAccess, documentation: documentation,
      range: range)
  }
}

extension ResolvedRelationship {
  package var isToMany: Bool { if case .toMany = cardinality { true } else { false } }

  /// True if the relationship accepts nil.
  package var isOptional: Bool {
    switch cardinality {
    case .toOne(let isOptional), .toMany(let isOptional): isOptional
    }
  }

  /// True if there is always exactly one destination.
  package var isRequired: Bool { !isToMany && !isOptional }

  /// The name of the inverse property.
  package var inverseName: String? { if case .property(let name) = inverse { name } else { nil } }

  /// The property's type as written in source.
  package var spelling: String { (isToMany ? "[\(destination)]" : destination) + (isOptional ? "?" : "") }
}
