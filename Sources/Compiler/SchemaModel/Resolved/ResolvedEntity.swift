package import SchemaDiagnostics

/// A `@Model` class.
package struct ResolvedEntity: Sendable {
  package var name: String
  /// The previous entity name, from `@Model(originalName:)`.
  package var originalName: String?
  /// The superclass, if it is a model.
  package var superentity: String?
  /// All other types and protocols in the inheritance clause, as written.
  package var conformances: [String]
  package var access: AccessLevel?
  /// Class attributes other than `@Model`, as written (`@available(…)`).
  package var swiftAttributes: [SwiftText]
  /// Documentation lines with `///` removed.
  package var documentation: [String]
  /// Stored properties in declaration order, excluding inherited properties.
  package var properties: [ResolvedProperty]
  package var uniques: [ResolvedUnique]
  package var indexes: [ResolvedIndex]
  /// Methods, computed properties, subscripts, nested types and static members, carried verbatim.
  package var carriedMembers: [SwiftText]
  /// Initializers, carried verbatim. If there are any, no memberwise initializer is emitted.
  package var carriedInitializers: [SwiftText]
  /// Index into `ResolvedSchema.files`.
  package var file: Int
  /// The source range of the declared name.
  package var range: SourceRange

  package init(
    name: String, originalName: String? = nil, superentity: String? = nil,
    conformances: [String] = [], access: AccessLevel? = nil, swiftAttributes: [SwiftText] = [],
    documentation: [String] = [], properties: [ResolvedProperty] = [],
    uniques: [ResolvedUnique] = [], indexes: [ResolvedIndex] = [],
    carriedMembers: [SwiftText] = [], carriedInitializers: [SwiftText] = [], file: Int,
    range: SourceRange
  ) {
    self.name = name
    self.originalName = originalName
    self.superentity = superentity
    self.conformances = conformances
    self.access = access
    self.swiftAttributes = swiftAttributes
    self.documentation = documentation
    self.properties = properties
    self.uniques = uniques
    self.indexes = indexes
    self.carriedMembers = carriedMembers
    self.carriedInitializers = carriedInitializers
    self.file = file
    self.range = range
  }
}

package enum AccessLevel: String, Sendable, CaseIterable {
  case `private`, `fileprivate`, `internal`, `package`, `public`, open
}

/// A stored property of a model class.
package enum ResolvedProperty: Sendable {
  case attribute(ResolvedAttribute)
  case relationship(ResolvedRelationship)
}

/// A uniqueness constraint from `#Unique` or `@Attribute(.unique)`.
package struct ResolvedUnique: Sendable, Equatable {
  /// The names of attributes or to-one relationships.
  package var properties: [String]
  package var policy: ConflictPolicy
  package var range: SourceRange

  package init(properties: [String], policy: ConflictPolicy = .replace, range: SourceRange) {
    self.properties = properties
    self.policy = policy
    self.range = range
  }
}

/// What a save does if a unique value already exists. SwiftData's upsert is `.replace`.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  case fail, replace, keep
}

/// An index from `#Index`.
package struct ResolvedIndex: Sendable {
  package enum Kind: String, Sendable, CaseIterable { case binary, rtree }
  package var kind: Kind
  package var properties: [String]
  package var range: SourceRange

  package init(kind: Kind, properties: [String], range: SourceRange) {
    self.kind = kind
    self.properties = properties
    self.range = range
  }
}
