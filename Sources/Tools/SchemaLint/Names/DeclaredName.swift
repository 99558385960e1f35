package import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// A name that the schema declares.
package struct DeclaredName: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case entity, enumeration, structure
    case attribute(isTransient: Bool)
    case relationship
    /// An enum case. `keepsName` is true if the name is the stored value.
    case enumCase(keepsName: Bool)
    case field
  }

  package var text: String
  package var kind: Kind
  /// The type that contains the member.
  package var owner: String?
  package var range: SourceRange

  static func all(in schema: ResolvedSchema, _ sources: SourceIndex) -> [DeclaredName] {
    var names: [DeclaredName] = []
    for index in schema.entities.indices {
      let owner = schema.entities[index].name
      names.append(DeclaredName(text: owner, kind: .entity, range: schema.entities[index].range))
      let properties = schema.entities[index].properties
      for place in properties.indices {
        let kind: Kind =
          switch properties[place] {
          case .attribute(let attribute): .attribute(isTransient: attribute.isTransient)
          case .relationship: .relationship
          }
        names.append(
          DeclaredName(text: properties[place].name, kind: kind, owner: owner, range: properties[place].range))
      }
    }
    for value in schema.enums {
      names.append(DeclaredName(text: value.ownName, kind: .enumeration, range: value.range))
      // Both lists are in source order.
      var written = sources.writtenCases(of: value)[...]
      for enumCase in value.cases {
        written = written.drop { $0.name != enumCase.name }
        guard let syntax = written.first?.syntax else { break }
        let keepsName = enumCase.rawValue == .string(enumCase.name) && !syntax.hasRawValue
        names.append(
          DeclaredName(
            text: enumCase.name, kind: .enumCase(keepsName: keepsName), owner: value.name,
            range: syntax.nameRange))
      }
    }
    for value in schema.structs {
      names.append(DeclaredName(text: value.ownName, kind: .structure, range: value.range))
      let written = sources.fields(of: value)
      for field in value.fields {
        guard let range = written[field.name] else { continue }
        names.append(
          DeclaredName(text: field.name, kind: .field, owner: value.name, range: range))
      }
    }
    return names
  }
}
