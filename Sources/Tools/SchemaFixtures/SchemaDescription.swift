import SchemaModel
import SchemaVersions
import Trellis

/// Builds the runtime schema from a schema file. The result equals the schema built from generated classes.
struct SchemaDescription {
  let schema: ResolvedSchema
  private let hasReleases: Bool
  private let types: StandInTypes
  private let names: TypeNames
  private let forms: CodedForms
  private let fields: JSONFields
  private let defaults: LiteralDefault

  /// - Parameters:
  ///   - schema: A schema version.
  ///   - history: The history that contains the version.
  ///   - module: The app's Swift module.
  init(_ schema: ResolvedSchema, of history: SchemaHistory, module: String) {
    self.schema = schema
    hasReleases = !history.frozen.isEmpty
    types = StandInTypes(schema)
    forms = CodedForms(schema)
    fields = JSONFields(schema)
    defaults = LiteralDefault(schema)
    names = TypeNames(schema, of: history, module: module)
  }

  /// - Parameter text: The app's schema files.
  /// - Throws: ``FixtureRefusal`` if the schema does not specify how a value is stored.
  func runtimeSchema(text: String) throws(FixtureRefusal) -> Schema {
    var models: [DescribedModel] = []
    for entity in schema.entities { models.append(try model(entity)) }
    let version = schema.version
    return Schema(
      described: models, version: Schema.Version(version.major, version.minor, version.patch),
      source: SchemaSource(
        name: schema.name, fingerprint: schema.fingerprint(), text: text, hasReleases: hasReleases))
  }

  private func model(_ entity: ResolvedEntity) throws(FixtureRefusal) -> DescribedModel {
    var properties: [any SchemaProperty] = []
    for property in entity.properties {
      switch property {
      case .attribute(let attribute) where attribute.isTransient: continue
      case .attribute(let attribute): properties.append(try self.attribute(attribute, of: entity))
      case .relationship(let relationship): properties.append(self.relationship(relationship))
      }
    }
    var model = DescribedModel(
      entity.name, originalName: entity.originalName, superentity: entity.superentity,
      properties: properties)
    model.uniques = entity.uniques.filter { $0.policy != .replace || !entity.isDeclaredByAttribute($0) }
      .map { ($0.properties, Schema.ConflictPolicy(rawValue: $0.policy.rawValue) ?? .replace) }
    let indexes = entity.indexes
    model.indexes =
      (indexes.filter { $0.kind == .binary } + indexes.filter { $0.kind == .rtree })
      .map { ($0.properties, $0.kind == .rtree) }
    return model
  }

  private func attribute(
    _ attribute: ResolvedAttribute, of entity: ResolvedEntity
  ) throws(FixtureRefusal) -> Schema.Attribute {
    if attribute.storage == .raw, case .opaque(let name) = attribute.type.unwrapped {
      throw FixtureRefusal(
        "'\(entity.name).\(attribute.name)' is stored as a raw value of '\(name)', which the schema does not "
          + "declare, so the column type is unknown")
    }
    return Schema.Attribute.described(
      attribute.name, described(attribute.type), attribute.runtimeOptions(module: names.module),
      originalName: attribute.originalName, hashModifier: attribute.hashModifier,
      codedForm: forms.text(of: attribute), jsonFields: fields.text(of: attribute),
      defaultValue: defaults.value(of: attribute))
  }

  private func described(_ type: ValueType, depth: Int = 0) -> DescribedType {
    var described = DescribedType(
      names.name(type), standIn: types.type(type), rawType: types.rawType(type), isOpaque: type.unwrapped.isOpaque)
    guard depth < 8, case .structure(let name) = type.unwrapped, types.raw(type.unwrapped) == nil,
      let structure = types.structure(name)
    else { return described }
    described.parts = structure.fields.map { field in
      (field.name, self.described(structure.qualified(field.type), depth: depth + 1))
    }
    described.columns = structure.parameters.map(\.name)
    return described
  }

  private func relationship(_ relationship: ResolvedRelationship) -> Schema.Relationship {
    let described = Schema.Relationship(
      deleteRule: .init(rawValue: relationship.deleteRule.rawValue) ?? .nullify,
      minimumModelCount: relationship.minimumCount ?? 0, maximumModelCount: relationship.maximumCount ?? 0,
      originalName: relationship.originalName, hashModifier: relationship.hashModifier)
    if relationship.isUnique { described.options.append(.unique) }
    if relationship.isOrdered { described.options.append(.ordered) }
    if relationship.inverse == .none { described.options.append(.unidirectional) }
    let model = names.own(relationship.destination)
    let value = relationship.isToMany ? TypeNames.array(model) : model
    described.describe(
      name: relationship.name, typeName: relationship.isOptional ? TypeNames.optional(value) : value,
      isToMany: relationship.isToMany, isOptional: relationship.isOptional, destination: relationship.destination,
      inverse: relationship.inverseName)
    return described
  }
}

extension ValueType {
  /// True if the type has parts for which the schema contains only names.
  fileprivate var isOpaque: Bool {
    switch self {
    case .opaque: true
    case .optional(let type), .array(let type), .set(let type): type.isOpaque
    case .dictionary(let key, let value): key.isOpaque || value.isOpaque
    case .scalar, .enumeration, .structure: false
    }
  }
}

extension ResolvedStruct {
  /// Qualifies the name of a type that the struct declares.
  fileprivate func qualified(_ type: ValueType) -> ValueType {
    switch type {
    case .opaque(let text): return text.hasPrefix(name + ".") ? .structure(text) : type
    case .optional(let wrapped): return .optional(qualified(wrapped))
    case .array(let element): return .array(qualified(element))
    case .set(let element): return .set(qualified(element))
    case .dictionary(let key, let value): return .dictionary(key: qualified(key), value: qualified(value))
    case .scalar, .enumeration, .structure: return type
    }
  }
}

/// The reason why a fixture cannot be created.
package struct FixtureRefusal: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
