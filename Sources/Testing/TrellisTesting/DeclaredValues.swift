import SchemaDiagnostics
import SchemaFixtures
import SchemaModel
import Trellis

/// Sample values for a schema's enums and structs as JSON text: every enum case, and structs with the smallest and
/// largest value for each field.
struct DeclaredValues {
  private let schema: ResolvedSchema?

  init(_ source: SchemaSource) {
    let file = SourceFile(path: source.name + ".schema", text: source.text)
    schema = source.text.isEmpty ? nil : SchemaCompiler.compile([file]).schemas.first
  }

  /// Sample values for a stored property as text; empty if the type is unknown.
  func values(of property: String, in entity: String) -> [String] {
    guard let schema, let declaration = schema.entities.first(where: { $0.name == entity }) else { return [] }
    // For types with custom `Codable` code, the values are guesses. The caller tests whether they can be decoded.
    let values = TypeValues(schema, isGuessing: true)
    for case .attribute(let attribute) in declaration.properties where attribute.name == property {
      return values.samples(of: attribute.type).compactMap { try? $0.text }
    }
    return []
  }
}
