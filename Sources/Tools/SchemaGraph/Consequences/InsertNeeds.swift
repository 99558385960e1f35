package import SchemaDiagnostics
package import SchemaModel

/// What a new object of a model needs before it can be saved.
package struct InsertNeeds: Sendable, Equatable, Encodable {
  /// Raised when a reader of the JSON form would have to change.
  package var schemaVersion = 1
  package var insertion: Insertion

  /// Nil for a name that is no model's.
  ///
  /// - Parameter files: what ranges of the schema name by their place.
  package init?(of model: String, in schema: ResolvedSchema, files: [SourceFile]) {
    var reader = InsertionReader(index: ModelIndex(schema, files: files))
    guard let insertion = reader.insertion(of: model) else { return nil }
    self.insertion = insertion
  }
}

/// A new object, and the objects it cannot be without.
package struct Insertion: Sendable, Equatable, Encodable {
  package struct Value: Sendable, Equatable, Encodable {
    package var property: Declaration
    package var type: String
  }

  package struct Bound: Sendable, Equatable, Encodable {
    package var property: Declaration
    package var minimum: Int?
    package var maximum: Int?
    /// Whether the bounds hold only once the list has members.
    package var isOptional: Bool
  }

  package struct Key: Sendable, Equatable, Encodable {
    package enum Policy: String, Sendable, Encodable {
      /// The existing object takes the values of the new one.
      case replace
      /// The existing object keeps its own.
      case keep
      /// The save is refused.
      case fail
    }

    package var properties: [String]
    package var policy: Policy
    package var declaration: Declaration
  }

  package var model: Declaration
  /// The relationship that needs it; nil for the first one.
  package var cause: Declaration?
  /// How many of it at least.
  package var count = 1
  /// Attributes without a default.
  package var values: [Value] = []
  /// Relationships to one that is required, and lists with a least number of members.
  package var partners: [Insertion] = []
  package var bounds: [Bound] = []
  package var keys: [Key] = []
  /// To-one relationships whose other end no two objects may have.
  package var exclusive: [Declaration] = []
  /// It needs one of those that need it: all of them are inserted and saved in one go.
  package var isCycle = false
  /// What it needs was told before.
  package var isRepeated = false
}

struct InsertionReader {
  let index: ModelIndex
  private var told: Set<String> = []
  private var path: [String] = []

  init(index: ModelIndex) { self.index = index }

  mutating func insertion(of model: String, by way: OwnedRelationship? = nil) -> Insertion? {
    guard let entity = index.entity(model) else { return nil }
    var insertion = Insertion(model: index.declaration(entity), cause: way.map(index.declaration))
    insertion.isCycle = path.contains { index.isKind($0, of: model) }
    guard told.insert(model).inserted, !insertion.isCycle else {
      insertion.isRepeated = !insertion.isCycle
      return insertion
    }
    path.append(model)
    defer { path.removeLast() }
    for owner in index.lineage(of: model) {
      for attribute in owner.attributes where attribute.isNeeded {
        insertion.values.append(
          .init(
            property: index.declaration("\(owner.name).\(attribute.name)", attribute.range),
            type: attribute.type.spelling))
      }
      insertion.keys += owner.uniques.map { unique in
        let name = unique.properties.map { "\(owner.name).\($0)" }.joined(separator: ", ")
        return .init(
          properties: unique.properties, policy: .init(rawValue: unique.policy.rawValue) ?? .replace,
          declaration: index.declaration(name, unique.range))
      }
      for relationship in owner.relationships {
        add(OwnedRelationship(owner: owner.name, relationship: relationship), to: &insertion)
      }
    }
    return insertion
  }

  private mutating func add(_ one: OwnedRelationship, to insertion: inout Insertion) {
    let relationship = one.relationship
    if relationship.isUnique { insertion.exclusive.append(index.declaration(one)) }
    let minimum = relationship.minimumCount ?? 0
    let maximum = relationship.maximumCount ?? 0
    let isOptional =
      switch relationship.cardinality {
      case .toOne(let isOptional), .toMany(let isOptional): isOptional
      }
    if relationship.isToMany, minimum > 0 || maximum > 0 {
      insertion.bounds.append(
        .init(
          property: index.declaration(one), minimum: minimum > 0 ? minimum : nil,
          maximum: maximum > 0 ? maximum : nil, isOptional: isOptional))
    }
    let isNeeded = relationship.isToMany ? minimum > 0 && !isOptional : relationship.isRequired
    guard isNeeded, var partner = self.insertion(of: relationship.destination, by: one) else { return }
    partner.count = max(relationship.isToMany ? minimum : 1, 1)
    insertion.partners.append(partner)
  }
}

extension ResolvedAttribute {
  fileprivate var isNeeded: Bool {
    if isTransient || defaultValue != nil { return false }
    if case .optional = type { return false }
    return true
  }
}
