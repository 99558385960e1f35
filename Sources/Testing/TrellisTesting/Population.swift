import Foundation
import SchemaFixtures
import Trellis

/// Creates a fixture's models.
struct Population {
  private let version: any VersionedSchema.Type
  private let schema: Schema
  private let context: ModelContext
  private let rows: Int
  private let declared: DeclaredValues
  /// False for a store that does not support U+0000 in text.
  var keepsNullCharacters = true
  /// The models, by entity.
  private var models: [String: [any PersistentModel]] = [:]
  /// The number of models created so far. It is not reset for each class, because subclasses share their superclass's
  /// constraints.
  private var count = 0

  init(_ version: any VersionedSchema.Type, _ context: ModelContext, rows: Int) {
    self.version = version
    self.context = context
    self.rows = rows
    schema = Schema(versionedSchema: version)
    declared = DeclaredValues(version._$source)
  }

  /// Creates and inserts models with attribute values. References are set later, by ``connect()``, when all models
  /// exist.
  mutating func makeModels() {
    for type in version.models { make(type) }
  }

  private mutating func make<M: PersistentModel>(_ type: M.Type) {
    let entity = Schema.entityName(for: type)
    let keys = keys(of: entity)
    var made: [M] = []
    for number in 0..<rows {
      let model = ModelFactory.make(type)
      // The second half repeats the first half's values, except unique values.
      let index = number % (rows / 2)
      for property in type.attributes {
        let owner = owner(of: property.name, entity)
        assign(
          property.path, of: model, number: count, index: index, isUnique: keys.contains(property.name),
          texts: declared.values(of: property.name, in: owner))
      }
      made.append(model)
      count += 1
      context.insert(model)
    }
    models[entity] = made
  }

  /// Returns the properties in a model's unique constraints, including inherited ones.
  private func keys(of entity: String) -> Set<String> {
    var keys: Set<String> = []
    var current = schema.entitiesByName[entity]
    while let candidate = current {
      keys.formUnion(candidate.uniquenessConstraints.joined())
      current = candidate.superentityName.flatMap { schema.entitiesByName[$0] }
    }
    return keys
  }

  /// Returns the model in a hierarchy that declares a property.
  private func owner(of property: String, _ entity: String) -> String {
    var current = schema.entitiesByName[entity]
    while let candidate = current {
      if candidate.storedPropertiesByName[property] != nil { return candidate.name }
      current = candidate.superentityName.flatMap { schema.entitiesByName[$0] }
    }
    return entity
  }

  private func assign(
    _ path: AnyKeyPath, of model: some PersistentModel, number: Int, index: Int, isUnique: Bool,
    texts: [String]
  ) {
    func typed<V>(_: V.Type) {
      if let known = V.self as? any Sampled.Type {
        func pick<S: Sampled>(_: S.Type) -> V? {
          let samples = S.samples
          return (isUnique ? S.distinct(number) : samples[index % samples.count]) as? V
        }
        guard let value = pick(known) else { return }
        let kept = keepsNullCharacters ? nil : (value as? any TextValue)?.withoutNullCharacters
        ModelFactory.set(path, of: model, kept ?? value)
      } else if let decodable = V.self as? any Decodable.Type, !texts.isEmpty {
        var text = texts[(isUnique ? number : index) % texts.count]
        if !keepsNullCharacters { text = text.replacing("\\u0000", with: "") }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        let value = try? decoder.decode(decodable, from: Data(text.utf8))
        if let value = value as? V { ModelFactory.set(path, of: model, value) }
      }
    }
    _openExistential(type(of: path).valueType, do: typed)
  }

  // MARK: Relationships

  /// Sets each relationship pair from a single side.
  func connect() {
    var done: Set<String> = []
    for entity in schema.entities {
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
        let own = "\(entity.name).\(relationship.name)"
        let other = relationship.inverseName.map { "\(relationship.destination).\($0)" }
        guard done.insert(own).inserted else { continue }
        if let other { done.insert(other) }
        connect(relationship, of: entity)
      }
    }
  }

  private func connect(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
    let owners = entity.hierarchyNames.flatMap { models[$0] ?? [] }
    let destination = schema.entitiesByName[relationship.destination]
    let targets = destination?.hierarchyNames.flatMap { models[$0] ?? [] } ?? []
    guard !targets.isEmpty, let path = relationship.keypath else { return }
    let inverse = relationship.inverseName.flatMap { destination?.relationshipsByName[$0] }
    let isUnique = entity.uniquenessConstraints.contains([relationship.name])
    let isPair = inverse.map { $0.isToOneRelationship } ?? isUnique
    for (number, owner) in owners.enumerated() {
      if relationship.isToOneRelationship {
        // Every third optional reference is nil. A one-to-one relationship uses each model at most once.
        if relationship.isOptional, number % 3 == 2, !(inverse?.isRequired ?? false) { continue }
        let target = isPair || isUnique ? (number < targets.count ? number : nil) : number % max(1, targets.count / 2)
        guard let target else { continue }
        ModelFactory.setReference(path, of: owner, to: targets[target])
      } else {
        let members =
          isPair
          ? targets.indices.filter { $0 % max(1, owners.count / 2) == number }
          : (0..<min(3, targets.count)).map { (number + $0) % targets.count }
        ModelFactory.setList(path, of: owner, to: Set(members).sorted().map { targets[$0] })
      }
    }
  }
}

extension Schema.Relationship {
  fileprivate var isRequired: Bool { isToOneRelationship && !isOptional }
}

extension Schema.Entity {
  /// The names for the model and all subclasses.
  fileprivate var hierarchyNames: [String] {
    [name] + subentities.sorted { $0.name < $1.name }.flatMap(\.hierarchyNames)
  }
}
