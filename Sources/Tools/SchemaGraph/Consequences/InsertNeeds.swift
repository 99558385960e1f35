package import SchemaDiagnostics
package import SchemaModel

/// The requirements that a new object must meet before it can be saved.
package struct InsertNeeds: Sendable, Equatable, Encodable {
  /// Increase this on incompatible changes to the JSON form.
  package var schemaVersion = 1
  package var insertion: Insertion

  /// Finds the requirements; returns `nil` if the schema does not contain the model.
  ///
  /// - Parameter files: The schema files. Source ranges refer to them by index.
  package init?(of model: String, in schema: ResolvedSchema, files: [SourceFile]) {
    var reader = InsertionReader(index: ModelIndex(schema, files: files))
    guard let insertion = reader.insertion(of: model) else { return nil }
    self.insertion = insertion
  }
}

/// A new object and the objects that it requires.
package struct Insertion: Sendable, Equatable, Encodable {
  package struct Value: Sendable, Equatable, Encodable {
    package var property: Declaration
    package var type: String
  }

  package struct Bound: Sendable, Equatable, Encodable {
    package var property: Declaration
    package var minimum: Int?
    package var maximum: Int?
    /// True if the bounds apply only to lists that are not empty.
    package var isOptional: Bool
  }

  package struct Key: Sendable, Equatable, Encodable {
    package enum Policy: String, Sendable, Encodable {
      /// The existing object receives the new object's values.
      case replace
      /// The existing object keeps its values.
      case keep
      /// The save throws.
      case fail
    }

    package var properties: [String]
    package var policy: Policy
    package var declaration: Declaration
  }

  package var model: Declaration
  /// The relationship that requires the object; `nil` for the first object.
  package var cause: Declaration?
  /// The minimum number of objects.
  package var count = 1
  /// The attributes that have no default value.
  package var values: [Value] = []
  /// Required to-one relationships and lists with a minimum count.
  package var partners: [Insertion] = []
  package var bounds: [Bound] = []
  package var keys: [Key] = []
  /// The unique to-one relationships. No two objects may refer to the same destination.
  package var exclusive: [Declaration] = []
  /// True if the object requires an object that in turn requires it. Both must be inserted in the same save.
  package var isCycle = false
  /// True if the requirements are listed elsewhere.
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

extension InsertNeeds {
  /// The requirements as a tree of required objects.
  package var text: String {
    var tree = TextTree(
      line: "inserting a '\(insertion.model.name)' (\(insertion.model.place))", below: insertion.branches)
    if tree.below.isEmpty { tree.below = [TextTree(line: "no requirements: every property has a default")] }
    return tree.text
  }
}

extension Insertion {
  fileprivate var branches: [TextTree] {
    var branches = values.map { TextTree(line: "requires '\($0.property.name)': \($0.type) (\($0.property.place))") }
    branches += partners.map { TextTree(line: $0.line, below: $0.branches) }
    branches += bounds.map { TextTree(line: $0.line) }
    branches += keys.map { TextTree(line: $0.line) }
    branches += exclusive.map {
      TextTree(line: "no two objects may refer to the same object with '\($0.name)' (\($0.place))")
    }
    return branches
  }

  private var line: String {
    let who = count == 1 ? "a '\(model.name)'" : "\(count) '\(model.name)' objects"
    let cause = cause.map { " for '\($0.name)' (\($0.place))" } ?? ""
    let more =
      if isCycle {
        ", which requires this object in turn: insert both and save once"
      } else if isRepeated {
        " … see above"
      } else {
        ""
      }
    return "requires \(who)\(cause)\(more)"
  }
}

extension Insertion.Bound {
  fileprivate var line: String {
    let count =
      switch (minimum, maximum) {
      case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
      case (let minimum?, nil): "at least \(minimum)"
      case (nil, let maximum?): "at most \(maximum)"
      case (nil, nil): "any number of"
      }
    return "'\(property.name)' must have \(count) members\(isOptional ? ", or be empty" : "") (\(property.place))"
  }
}

extension Insertion.Key {
  fileprivate var line: String {
    let what = properties.map { "'\($0)'" }.joined(separator: ", ")
    let text =
      switch policy {
      case .replace: "an existing object with the same \(what) is updated instead"
      case .keep: "an existing object with the same \(what) is kept and used instead"
      case .fail: "an existing object with the same \(what) causes the save to fail"
      }
    return "\(text) (\(declaration.place))"
  }
}
