import Foundation
import SchemaDiagnostics
import SchemaExport
import SchemaFacts
import SchemaModel
import SchemaVersions
import TestSupport
import Testing

/// Tests of the JSON form of schemas.
@Suite struct SchemaDocumentTests {
  private static func read(_ text: String) throws -> SchemaDocument {
    try JSONDecoder().decode(SchemaDocument.self, from: Data(text.utf8))
  }

  /// A schema that is built from the document alone has the fingerprints that the document states, so nothing that
  /// counts is missing.
  @Test(arguments: EveryHistory.all) func aReaderCanRebuildEverySchema(_ schema: EveryHistory) throws {
    for version in schema.history.versions {
      let document = SchemaDocument(version)
      let text = try document.text
      let read = try Self.read(text)
      #expect(read == document)
      #expect(try read.text == text)
      let rebuilt = ResolvedSchema(read)
      #expect(rebuilt.fingerprint() == version.fingerprint())
      #expect(rebuilt.storageFingerprint() == version.storageFingerprint())
      #expect(read.fingerprint == version.fingerprint() && read.storageFingerprint == version.storageFingerprint())
    }
  }

  @Test func equalSchemasHaveIdenticalDocuments() throws {
    let one = [
      "A.schema": """
      schema Shop 1.0.0
      import Foundation
      @Model class Item {
          #Index<Item>([\\.price], [\\.name])
          var name: String = "a" + "b"
          var price: Int = max(1, 2)
          var made: Date = Date(timeIntervalSince1970: -1)
          var owner: Person?
          var kinds: [Kind] = [.a, .b(1)]
          var code: Int = {
              let base = 1
              return base
          }()
      }
      @Model class Person { var items: [Item] = [] }
      enum Kind: Codable { case a, b(Int) }
      """
    ]
    let other = [
      "Z.schema": """
      schema Shop 1.0.0
      // Another layout.
      enum Kind  : Codable {
        case a
        case b( Int )
      }
      @Model class Person
      { var items : [ Item ] = [ ] }
      """,
      "B.schema": """
      schema Shop 1.0.0

      import Foundation
      @Model class Item {
          var name: String = "a"+"b"  // joined
          var price: Int = max( 1,2 )
          var made: Date = Date(
              timeIntervalSince1970:-1
          )
          var owner: Person? ; var kinds: [Kind] = [.a , .b( 1 )]
          var code: Int = { let base = 1
              return base }()
          #Index<Item>([\\.name])
          #Index<Item>([\\.price])
      }
      """,
    ]
    func text(_ files: [String: String]) throws -> String {
      let inputs = files.sorted { $0.key < $1.key }.map { SourceFile(path: "/\($0.key)", text: $0.value) }
      let compilation = SchemaCompiler.compile(inputs)
      #expect(!compilation.hasErrors, "\(compilation.diagnostics.map(\.message))")
      return try SchemaDocument(try #require(compilation.schemas.first)).text
    }
    let first = try text(one)
    #expect(try text(other) == first)
    #expect(first.contains(#""defaultValue" : "{ let base = 1\nreturn base }()""#))
    #expect(first.contains(#""defaultValue" : "\"a\" + \"b\"""#))
    #expect(first.contains(#""defaultValue" : "Date(timeIntervalSince1970: -1)""#))
    // The reader notices any difference.
    #expect(try text(one.mapValues { $0.replacing("max(1, 2)", with: "max(1, 3)") }) != first)
  }

  /// The article describes exactly the keys that documents contain.
  @Test func theArticleDescribesEveryKey() throws {
    var keys: Set<String> = []
    // Names that are data, not keys of the format.
    let own: Set<String> = ["keys"]
    func collect(_ value: Any, at key: String) {
      if let object = value as? [String: Any] {
        if own.contains(key) { return }
        for (key, value) in object {
          keys.insert(key)
          collect(value, at: key)
        }
      } else if let list = value as? [Any] {
        for one in list { collect(one, at: key) }
      }
    }
    for schema in EveryHistory.all {
      let text = try SchemaDocument(schema.history.head).text
      collect(try JSONSerialization.jsonObject(with: Data(text.utf8)), at: "")
    }
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/ExportingSchemas.md")
    let section = try #require(article.components(separatedBy: "\n## The JSON form\n").last)
      .components(separatedBy: "\n## ")[0]
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let described = rows.flatMap { row -> [String] in
      let names = row.split(separator: "|")[0]
      return names.split(separator: "`").map(String.init).filter { !$0.contains(" ") && !$0.isEmpty }
    }
    #expect(Set(described) == keys)
  }
}

// MARK: A reader

extension ResolvedSchema {
  /// Builds a schema from a document, without source locations and Swift code.
  fileprivate init(_ document: SchemaDocument) {
    let parts = document.version.split(separator: ".").compactMap { Int($0) }
    self.init(
      name: document.name, version: SchemaVersion(parts[0], parts[1], parts[2]),
      entities: document.entities.map(ResolvedEntity.init), enums: document.enums.map(ResolvedEnum.init),
      structs: document.structs.map(ResolvedStruct.init),
      imports: document.imports.map { ResolvedImport(module: $0, file: 0) })
  }
}

private let nowhere = SourceRange(file: 0, start: 0, end: 0)

private func source(_ text: String) -> SwiftText { SwiftText(text, file: 0, line: 1) }

private func level(_ text: String?) -> AccessLevel? { text.flatMap(AccessLevel.init) }

extension ResolvedEntity {
  fileprivate init(_ entity: SchemaDocument.Entity) {
    self.init(
      name: entity.name, originalName: entity.originalName, superentity: entity.superentity,
      conformances: entity.conformances, access: level(entity.access),
      properties: entity.properties.map { property in
        switch property {
        case .attribute(let attribute): .attribute(ResolvedAttribute(attribute))
        case .relationship(let relationship): .relationship(ResolvedRelationship(relationship))
        }
      },
      uniques: entity.uniques.map {
        ResolvedUnique(
          properties: $0.properties, policy: ConflictPolicy(rawValue: $0.onConflict) ?? .replace, range: nowhere)
      },
      indexes: entity.indexes.map {
        ResolvedIndex(kind: .init(rawValue: $0.kind) ?? .binary, properties: $0.properties, range: nowhere)
      }, file: 0, range: nowhere)
  }
}

extension ResolvedAttribute {
  fileprivate convenience init(_ attribute: SchemaDocument.Attribute) {
    self.init(
      name: attribute.name, originalName: attribute.originalName, hashModifier: attribute.hashModifier,
      type: ValueType(attribute.type), defaultValue: attribute.defaultValue.map(source),
      options: Set(attribute.options.compactMap(AttributeOption.init)), transformer: attribute.transformer,
      storage: attribute.storage.flatMap(ValueStorage.init), unknown: attribute.unknown.flatMap(UnknownPolicy.init),
      isTransient: attribute.isTransient, isLet: attribute.isConstant, access: level(attribute.access),
      setterAccess: level(attribute.setterAccess), range: nowhere)
  }
}

extension ResolvedRelationship {
  fileprivate convenience init(_ relationship: SchemaDocument.Relationship) {
    self.init(
      name: relationship.name, originalName: relationship.originalName, hashModifier: relationship.hashModifier,
      destination: relationship.destination,
      cardinality: relationship.isToMany
        ? .toMany(isOptional: relationship.isOptional) : .toOne(isOptional: relationship.isOptional),
      deleteRule: DeleteRule(rawValue: relationship.deleteRule) ?? .nullify,
      inverse: relationship.inverse.map { .property($0) } ?? .none, minimumCount: relationship.minimumCount,
      maximumCount: relationship.maximumCount, isOrdered: relationship.isOrdered, isUnique: relationship.isUnique,
      defaultValue: relationship.defaultValue.map(source), access: level(relationship.access),
      setterAccess: level(relationship.setterAccess), range: nowhere)
  }
}

extension ResolvedEnum {
  fileprivate init(_ type: SchemaDocument.Enumeration) {
    self.init(
      name: type.name, rawType: type.rawType.flatMap(ScalarType.init), conformances: type.conformances,
      cases: type.cases.map { one in
        Case(
          name: one.name,
          rawValue: one.rawValue.map { value in
            switch value {
            case .string(let text): .string(text)
            case .integer(let number): .integer(number)
            case .literal(let text): .other(text)
            }
          },
          payload: one.payload.map { PayloadField(label: $0.label, type: ValueType($0.type)) })
      },
      declaration: source(""), access: level(type.access), file: 0, range: nowhere)
    coding = type.coding.map(ResolvedCoding.init)
  }
}

extension ResolvedStruct {
  fileprivate init(_ type: SchemaDocument.Structure) {
    self.init(
      name: type.name, conformances: type.conformances,
      fields: type.fields.map {
        Field(
          name: $0.name, type: ValueType($0.type), defaultValue: $0.defaultValue.map(source), isLet: $0.isConstant)
      },
      declaration: source(""), access: level(type.access), file: 0, range: nowhere)
    coding = type.coding.map(ResolvedCoding.init)
  }
}

extension ResolvedCoding {
  fileprivate init(_ coding: SchemaDocument.Coding) {
    self = coding.keys.map { .names($0) } ?? .code(digest: coding.code ?? "", reads: false)
  }
}

extension ValueType {
  fileprivate init(_ type: SchemaDocument.TypeForm) {
    self =
      switch type {
      case .scalar(let name): ScalarType(rawValue: name).map { .scalar($0) } ?? .opaque(name)
      case .enumeration(let name): .enumeration(name)
      case .structure(let name): .structure(name)
      case .opaque(let name): .opaque(name)
      case .optional(let type): .optional(ValueType(type))
      case .array(let type): .array(ValueType(type))
      case .set(let type): .set(ValueType(type))
      case .dictionary(let key, let value): .dictionary(key: ValueType(key), value: ValueType(value))
      }
  }
}
