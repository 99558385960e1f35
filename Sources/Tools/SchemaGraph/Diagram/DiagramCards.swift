import SchemaModel

/// Creates cards from declarations. Type targets are set after all cards exist.
extension DiagramNode {
  init(_ entity: ResolvedEntity, in schema: ResolvedSchema) {
    self.init(
      kind: .model, name: entity.name, schema: schema.name,
      documentation: entity.documentation.joined(separator: "\n"),
      rows: entity.properties.map { DiagramRow($0, of: entity) } + Self.constraints(of: entity))
  }

  init(_ type: ResolvedEnum, in schema: ResolvedSchema) {
    self.init(
      kind: .enumeration, name: type.name, schema: schema.name,
      documentation: type.documentation.joined(separator: "\n"),
      rows: type.cases.map { DiagramRow($0) })
  }

  init(_ type: ResolvedStruct, in schema: ResolvedSchema) {
    self.init(
      kind: .structure, name: type.name, schema: schema.name,
      documentation: type.documentation.joined(separator: "\n"),
      rows: type.fields.map { DiagramRow($0) })
  }

  /// Returns the constraints over several properties. Single-property constraints are row marks.
  private static func constraints(of entity: ResolvedEntity) -> [DiagramRow] {
    entity.uniques.filter { $0.properties.count > 1 }.map { DiagramRow($0) }
      + entity.indexes.filter { $0.properties.count > 1 }.map { DiagramRow($0) }
  }
}

extension DiagramRow {
  init(_ property: ResolvedProperty, of entity: ResolvedEntity) {
    switch property {
    case .attribute(let attribute): self.init(attribute, of: entity)
    case .relationship(let relationship): self.init(relationship, of: entity)
    }
  }

  init(_ attribute: ResolvedAttribute, of entity: ResolvedEntity) {
    self.init(kind: .attribute, name: attribute.name, type: attribute.type.spelling)
    documentation = attribute.documentation.joined(separator: "\n")
    marks = Self.marks(of: attribute.name, in: entity)
    let options: [(AttributeOption, Mark)] = [
      (.preserveValueOnDeletion, .preserved), (.externalStorage, .external), (.ephemeral, .ephemeral),
      (.allowsCloudEncryption, .encrypted),
    ]
    marks += options.filter { attribute.options.contains($0.0) }.map(\.1)
    if attribute.isTransient { marks.append(.transient) }
  }

  init(_ relationship: ResolvedRelationship, of entity: ResolvedEntity) {
    self.init(kind: .relationship, name: relationship.name, type: relationship.spelling)
    documentation = relationship.documentation.joined(separator: "\n")
    marks = Self.marks(of: relationship.name, in: entity)
    if relationship.isUnique, !marks.contains(.unique) { marks.insert(.unique, at: 0) }
    if relationship.isOrdered { marks.append(.ordered) }
  }

  init(_ one: ResolvedEnum.Case) {
    let payload = one.payload.map { field in
      (field.label.map { "\($0): " } ?? "") + field.type.spelling
    }
    let value: String? =
      switch one.rawValue {
      case .string(let text): text == one.name ? nil : "= \(text)"
      case .integer(let number): "= \(number)"
      case .other(let text): "= \(text)"
      case nil: nil
      }
    self.init(
      kind: .enumerationCase, name: one.name,
      type: payload.isEmpty ? value ?? "" : "(\(payload.joined(separator: ", ")))")
  }

  init(_ field: ResolvedStruct.Field) {
    self.init(kind: .field, name: field.name, type: field.type.spelling)
  }

  init(_ unique: ResolvedUnique) {
    self.init(
      kind: .constraint, name: unique.properties.joined(separator: ", "), type: "", marks: [.unique])
  }

  init(_ index: ResolvedIndex) {
    self.init(
      kind: .constraint, name: index.properties.joined(separator: ", "), type: "", marks: [.index])
  }

  private static func marks(of name: String, in entity: ResolvedEntity) -> [Mark] {
    var marks: [Mark] = []
    if entity.uniques.contains(where: { $0.properties == [name] }) { marks.append(.unique) }
    if entity.indexes.contains(where: { $0.properties == [name] }) { marks.append(.index) }
    return marks
  }
}

extension DiagramEnd {
  init(_ relationship: ResolvedRelationship) {
    let isOptional =
      relationship.isToMany ? relationship.minimumCount ?? 0 == 0 : !relationship.isRequired
    self.init(
      name: relationship.name, count: relationship.count, isToMany: relationship.isToMany,
      isOptional: isOptional, isOrdered: relationship.isOrdered,
      deleteRule: Rule(rawValue: relationship.deleteRule.rawValue) ?? .nullify)
  }
}
