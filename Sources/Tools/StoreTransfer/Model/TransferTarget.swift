package import Foundation
package import SchemaDiagnostics
import SchemaFixtures
package import SchemaModel
package import SchemaVersions
package import Trellis

/// The target store's schema: as resolved by the compiler, for the runtime, and as tables.
package struct TransferTarget: Sendable {
  package let resolved: ResolvedSchema
  package let schema: Schema
  package private(set) var catalogue: StoreCatalogue

  /// - Parameters:
  ///   - version: A version in the history.
  ///   - files: The files that declare the versions.
  ///   - module: The app's Swift module.
  /// - Throws: ``FixtureRefusal`` if the schema does not specify how a value is stored.
  package init(
    _ version: ResolvedSchema, in history: SchemaHistory, files: [SourceFile], module: String
  ) throws {
    resolved = version
    schema = try SchemaFixture.schema(of: version, in: history, files: files, module: module)
    catalogue = try CatalogueBuilder.catalogue(of: schema)
  }

  /// Returns a copy with other table names, such as names with a database schema.
  package func renamingTables(_ renamed: (String) -> String) -> TransferTarget {
    var copy = self
    copy.catalogue = catalogue.renamingTables(renamed)
    return copy
  }

  package func entity(named name: String) -> EntityLayout? { catalogue.layout.entity(named: name) }

  /// Creates the empty store and closes it.
  package func create(at url: URL) throws {
    _ = try DefaultStore(ModelConfiguration(schema: schema, url: url))
  }

  /// Creates the copy for an attribute or to-one relationship that is stored in a single column.
  ///
  /// - Parameter property: A property or a flattened struct's property (`address.street`).
  /// - Returns: `nil` if the entity has no such column.
  package func column(
    _ property: String, of entity: String, from origin: String, _ expression: SQLFragment
  ) -> ColumnCopy? {
    guard let layout = self.entity(named: entity), let place = layout.place(of: property),
      let form = form(of: property, in: entity)
    else { return nil }
    let isRequired = catalogue.isRequired(place.name, in: layout.table)
    return ColumnCopy(name: place.name, origin: origin, expression: expression, form: form, isRequired: isRequired)
  }

  /// Returns the values that a property's column accepts.
  package func form(of property: String, in entity: String) -> StoredForm? {
    let path = property.split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = path.first, let found = declaration(of: name, in: entity) else { return nil }
    switch found {
    case .relationship(let relationship): return relationship.isToMany ? nil : .key
    case .attribute(let attribute):
      if path.count == 2 {
        guard case .structure(let type) = attribute.type.unwrapped,
          let field = structure(type)?.fields.first(where: { $0.name == path[1] })
        else { return nil }
        return form(of: field.type)
      }
      if attribute.options.contains(.externalStorage) { return .external }
      if attribute.transformer != nil { return .data }
      if attribute.storage == .json || attribute.options.contains(.codable) { return .json }
      // An optional flattened struct's own column marks whether there is a value.
      if attribute.storage == .flattened { return .integer(1...1) }
      return form(of: attribute.type)
    }
  }

  private func declaration(of property: String, in entity: String) -> ResolvedProperty? {
    var next = resolved.entities.first { $0.name == entity }
    var left = ResolvedSchema.maximumDepth
    while let type = next, left > 0 {
      if let found = type.properties.first(where: { $0.name == property }) { return found }
      next = type.superentity.flatMap { name in resolved.entities.first { $0.name == name } }
      left -= 1
    }
    return nil
  }

  private func structure(_ name: String) -> ResolvedStruct? { resolved.structs.first { $0.name == name } }

  private func form(of type: ValueType) -> StoredForm {
    switch type.unwrapped {
    case .scalar(let scalar): return StoredForm(scalar)
    case .enumeration(let name):
      guard let type = resolved.enums.first(where: { $0.name == name }), let raw = type.rawType else { return .json }
      let texts = type.cases.compactMap { if case .string(let text)? = $0.rawValue { text } else { nil } }
      let numbers = type.cases.compactMap { if case .integer(let number)? = $0.rawValue { number } else { nil } }
      if texts.count == type.cases.count { return .choice(Set(texts)) }
      if numbers.count == type.cases.count, raw.integer != nil { return .choiceOfIntegers(Set(numbers)) }
      return StoredForm(raw)
    case .structure(let name):
      guard let type = structure(name), type.conformances.contains("RawRepresentable"),
        let raw = type.fields.first(where: { $0.name == "rawValue" })
      else { return .json }
      return form(of: raw.type)
    case .optional, .array, .set, .dictionary, .opaque: return .json
    }
  }
}

extension StoredForm {
  /// The form of a standard type's values.
  package init(_ scalar: ScalarType) {
    switch scalar {
    case .bool: self = .integer(0...1)
    case .int8: self = .integer(Int64(Int8.min)...Int64(Int8.max))
    case .int16: self = .integer(Int64(Int16.min)...Int64(Int16.max))
    case .int32: self = .integer(Int64(Int32.min)...Int64(Int32.max))
    case .uint8: self = .integer(0...Int64(UInt8.max))
    case .uint16: self = .integer(0...Int64(UInt16.max))
    case .uint32: self = .integer(0...Int64(UInt32.max))
    // Unsigned 64-bit integers are stored with the highest bit flipped.
    case .int, .int64, .uint, .uint64: self = .integer(Int64.min...Int64.max)
    case .duration: self = .integer(Int64.min + 1...Int64.max - 1)
    case .float, .double, .date: self = .real
    case .string: self = .text
    case .decimal, .uuid, .url, .character: self = .canonical(scalar)
    case .data: self = .data
    }
  }
}
