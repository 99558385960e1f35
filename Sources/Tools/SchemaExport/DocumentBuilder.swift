import Foundation
import SchemaDiagnostics
package import SchemaModel

extension SchemaDocument {
  /// Creates the document for a schema version.
  package init(_ schema: ResolvedSchema) {
    self.init(
      name: schema.name, version: schema.version.description, fingerprint: schema.fingerprint(),
      storageFingerprint: schema.storageFingerprint(), imports: Set(schema.imports.map(\.module)).ordered(),
      entities: schema.entities.ordered(by: \.name).map(Entity.init),
      enums: schema.enums.ordered(by: \.name).map(Enumeration.init),
      structs: schema.structs.ordered(by: \.name).map(Structure.init))
  }

  /// The JSON text, with sorted keys and a final line break.
  ///
  /// - Throws: Never in practice; `JSONEncoder` declares it.
  package var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}

extension SchemaDocument.Entity {
  fileprivate init(_ entity: ResolvedEntity) {
    self.init(
      name: entity.name, originalName: entity.originalName, superentity: entity.superentity,
      access: entity.access?.rawValue, swiftAttributes: entity.swiftAttributes.map { ExpressionText.line($0.text) },
      conformances: entity.conformances, documentation: Self.text(entity.documentation),
      properties: entity.properties.map(SchemaDocument.Property.init),
      uniques: entity.uniques.map { .init(properties: $0.properties, onConflict: $0.policy.rawValue) }
        .ordered { $0.properties.lexicographicallyPrecedes($1.properties) },
      indexes: entity.indexes.map { .init(kind: $0.kind.rawValue, properties: $0.properties) }
        .ordered { $0.properties.lexicographicallyPrecedes($1.properties) })
  }

  fileprivate static func text(_ documentation: [String]) -> String? {
    documentation.isEmpty ? nil : documentation.joined(separator: "\n")
  }
}

extension SchemaDocument.Property {
  fileprivate init(_ property: ResolvedProperty) {
    switch property {
    case .attribute(let attribute): self = .attribute(.init(attribute))
    case .relationship(let relationship): self = .relationship(.init(relationship))
    }
  }
}

extension SchemaDocument.Attribute {
  fileprivate init(_ attribute: ResolvedAttribute) {
    self.init(
      name: attribute.name, originalName: attribute.originalName, hashModifier: attribute.hashModifier,
      type: .init(attribute.type), defaultValue: attribute.defaultValue.map { ExpressionText.line($0.text) },
      options: attribute.options.map(\.rawValue).ordered(),
      transformer: attribute.transformer, storage: attribute.storage?.rawValue, unknown: attribute.unknown?.rawValue,
      isTransient: attribute.isTransient, isConstant: attribute.isLet, access: attribute.access?.rawValue,
      setterAccess: attribute.setterAccess?.rawValue,
      documentation: SchemaDocument.Entity.text(attribute.documentation))
  }
}

extension SchemaDocument.Relationship {
  fileprivate init(_ relationship: ResolvedRelationship) {
    // `nil` and 0 both mean unbounded.
    func bound(_ count: Int?) -> Int? { count == 0 ? nil : count }
    self.init(
      name: relationship.name, originalName: relationship.originalName, hashModifier: relationship.hashModifier,
      destination: relationship.destination, isToMany: relationship.isToMany, isOptional: relationship.isOptional,
      inverse: relationship.inverseName, deleteRule: relationship.deleteRule.rawValue,
      denyMessage: relationship.denyMessage, minimumCount: bound(relationship.minimumCount),
      maximumCount: bound(relationship.maximumCount), isOrdered: relationship.isOrdered,
      isUnique: relationship.isUnique, defaultValue: relationship.defaultValue.map { ExpressionText.line($0.text) },
      access: relationship.access?.rawValue, setterAccess: relationship.setterAccess?.rawValue,
      documentation: SchemaDocument.Entity.text(relationship.documentation))
  }
}

extension SchemaDocument.Enumeration {
  fileprivate init(_ type: ResolvedEnum) {
    self.init(
      name: type.name, rawType: type.rawType?.rawValue, access: type.access?.rawValue,
      conformances: type.conformances, documentation: SchemaDocument.Entity.text(type.documentation),
      cases: type.cases.map { one in
        .init(
          name: one.name, rawValue: one.rawValue.map(SchemaDocument.RawValue.init),
          payload: one.payload.map { .init(label: $0.label, type: .init($0.type)) })
      },
      coding: type.coding.map(SchemaDocument.Coding.init))
  }
}

extension SchemaDocument.RawValue {
  fileprivate init(_ value: ResolvedEnum.RawValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .integer(number)
    case .other(let text): self = .literal(text)
    }
  }
}

extension SchemaDocument.Structure {
  fileprivate init(_ type: ResolvedStruct) {
    self.init(
      name: type.name, access: type.access?.rawValue, conformances: type.conformances,
      documentation: SchemaDocument.Entity.text(type.documentation),
      fields: type.fields.map { field in
        .init(
          name: field.name, type: .init(field.type),
          defaultValue: field.defaultValue.map { ExpressionText.line($0.text) }, isConstant: field.isLet)
      },
      coding: type.coding.map(SchemaDocument.Coding.init))
  }
}

extension SchemaDocument.Coding {
  fileprivate init(_ coding: ResolvedCoding) {
    switch coding {
    case .names(let names): self.init(keys: names)
    case .code(let digest, _): self.init(code: digest)
    }
  }
}

extension SchemaDocument.TypeForm {
  fileprivate init(_ type: ValueType) {
    self =
      switch type {
      case .scalar(let scalar): .scalar(scalar.rawValue)
      case .enumeration(let name): .enumeration(name)
      case .structure(let name): .structure(name)
      case .opaque(let name): .opaque(name)
      case .optional(let type): .optional(.init(type))
      case .array(let type): .array(.init(type))
      case .set(let type): .set(.init(type))
      case .dictionary(let key, let value): .dictionary(key: .init(key), value: .init(value))
      }
  }
}
