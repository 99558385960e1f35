import SchemaDiagnostics
import SchemaFixtures
import SchemaModel
import Trellis

/// Sample values of the enums and structs of a schema as JSON text: every case of an enum, and structs with the largest
/// and smallest value of each field.
struct DeclaredValues {
  private let schema: ResolvedSchema?

  init(_ source: SchemaSource) {
    let file = SourceFile(path: source.name + ".schema", text: source.text)
    schema = source.text.isEmpty ? nil : SchemaCompiler.compile([file]).schemas.first
  }

  /// The sample values of a stored property as text; empty if its type is unknown.
  func values(of property: String, in entity: String) -> [String] {
    guard let schema, let declaration = schema.entities.first(where: { $0.name == entity }) else { return [] }
    // Create guesses for types with custom `Codable` code. The caller tests whether the program can decode them.
    let values = TypeValues(schema, isGuessing: true)
    for case .attribute(let attribute) in declaration.properties where attribute.name == property {
      return values.samples(of: attribute.type).compactMap { try? $0.text }
    }
    return []
  }
}
