package import SchemaDiagnostics

/// A stored property whose type is a model, an optional model or an array of models.
package struct ResolvedRelationship: Sendable, Equatable {
  package enum Cardinality: Sendable, Equatable {
    /// `Trip` or `Trip?`.
    case toOne(isOptional: Bool)
    /// `[Trip]` or `[Trip]?`.
    case toMany(isOptional: Bool)
  }

  /// Where the other side of the pair is.
  package enum Inverse: Sendable, Equatable {
    /// Property of the destination, declared there or here, or inferred as the only candidate.
    case property(String)
    /// `inverse: nil` written out, or no candidate exists.
    case none
  }

  package var name: String
  package var originalName: String?
  package var hashModifier: String?
  package var destination: String
  package var cardinality: Cardinality
  package var deleteRule: DeleteRule
  package var inverse: Inverse
  /// Whether this side is the one that spelled `inverse:`; the generated metadata spells it there too.
  package var declaresInverse: Bool
  /// nil or 0 is no bound.
  package var minimumCount: Int?
  package var maximumCount: Int?
  package var isOrdered: Bool
  package var isUnique: Bool
  /// `= []`, `= nil`, `= [Item]()`, as written.
  package var defaultValue: SwiftText?
  package var access: AccessLevel?
  package var setterAccess: AccessLevel?
  package var documentation: [String]
  package var range: SourceRange

  package init(
    name: String, originalName: String? = nil, hashModifier: String? = nil, destination: String,
    cardinality: Cardinality, deleteRule: DeleteRule = .nullify, inverse: Inverse = .none,
    declaresInverse: Bool = false, minimumCount: Int? = nil, maximumCount: Int? = nil,
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
}

package enum DeleteRule: String, Sendable, CaseIterable {
  case nullify, cascade, deny, noAction
}
