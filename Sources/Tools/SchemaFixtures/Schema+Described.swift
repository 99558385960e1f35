package import Trellis

extension Schema {
  /// Creates a schema for models that have no classes. A store has the same tables and fingerprint with this schema as
  /// with the classes.
  package convenience init(
    described models: [DescribedModel], version: Version, source: SchemaSource
  ) {
    let byName = Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.init(
      entities: models.map { Entity(described: $0, inheriting: Self.inherited(by: $0, byName)) },
      version: version, source: source)
    link()
  }

  /// Returns the properties of all superclasses, starting with the root class.
  private static func inherited(
    by model: DescribedModel, _ models: [String: DescribedModel]
  ) -> [any SchemaProperty] {
    var inherited: [any SchemaProperty] = []
    var above = model.superentity.flatMap { models[$0] }
    var left = models.count
    while let next = above, left > 0 {
      inherited = next.properties + inherited
      above = next.superentity.flatMap { models[$0] }
      left -= 1
    }
    return inherited
  }
}

extension Schema.Entity {
  fileprivate convenience init(described model: DescribedModel, inheriting inherited: [any SchemaProperty]) {
    self.init(model.name)
    originalName = model.originalName ?? model.name
    superentityName = model.superentity
    inheritedProperties = inherited
    storedProperties = model.properties
    let all = inherited + model.properties
    definition = ModelDefinition(
      described: model.name, originalName: model.originalName, superentity: model.superentity,
      layout: ModelLayout(described: all))
    for property in all { addConstraint(of: property) }
    for unique in model.uniques { add(unique: unique.properties, unique.policy) }
    for index in model.indexes { add(index: index.properties, isRTree: index.isRTree) }
  }
}

extension Schema.Attribute {
  /// Creates a plain or composite attribute, depending on the type.
  ///
  /// - Parameters:
  ///   - codedForm: See ``CodedForm``.
  ///   - jsonFields: See ``JSONFields``.
  ///   - defaultValue: The attribute value for older rows; nil if only the app can compute it.
  static func described(
    _ name: String, _ type: DescribedType, _ options: [Option], originalName: String?, hashModifier: String?,
    codedForm: String?, jsonFields: String?, defaultValue: (any ColumnValue)?
  ) -> Schema.Attribute {
    let attribute = described(name, type, options)
    attribute.originalName = originalName ?? name
    attribute.hashModifier = hashModifier
    attribute.codedForm = codedForm
    attribute.jsonFields = jsonFields
    attribute.defaultValue = defaultValue
    return attribute
  }

  private static func described(
    _ name: String, _ type: DescribedType, _ options: [Option], hasColumn: Bool = true
  ) -> Schema.Attribute {
    let attribute: Schema.Attribute
    if type.parts.isEmpty {
      attribute = Schema.Attribute(name: name, options: options, valueType: type.standIn)
    } else {
      let composite = Schema.CompositeAttribute(name: name, options: options, valueType: type.standIn)
      composite.properties = type.parts.map { described($0.name, $0.type, [], hasColumn: options.contains(.flattened)) }
      attribute = composite
    }
    attribute.type = ValueTypeName(named: type.name)
    attribute.typeRawType = !hasColumn ? nil : type.isOpaque ? unknownRawType : type.rawType
    if options.contains(.flattened) {
      attribute.describedMembers = type.columns.compactMap { column in
        type.parts.first { $0.name == column }.map {
          FlattenedMember(described: column, type: $0.type.standIn)
        }
      }
    }
    return attribute
  }
}
