import SchemaDiagnostics
import SchemaFixtures
import SchemaModel
import Trellis

/// Values of the enums and structs a schema declares, as the JSON their `Codable` form is: every case
/// of an enum, a struct with every field at its most and at its least.
struct DeclaredValues {
  private let schema: ResolvedSchema?

  init(_ source: SchemaSource) {
    let file = SourceFile(path: source.name + ".schema", text: source.text)
    schema = source.text.isEmpty ? nil : SchemaCompiler.compile([file]).schemas.first
  }

  /// The texts of values of a stored property's type; empty where nothing is known of it.
  func values(of property: String, in entity: String) -> [String] {
    guard let schema, let declaration = schema.entities.first(where: { $0.name == entity }) else { return [] }
    // Whether the program reads a value of a type that codes itself is tried.
    let values = TypeValues(schema, isGuessing: true)
    for case .attribute(let attribute) in declaration.properties where attribute.name == property {
      return values.samples(of: attribute.type).compactMap { try? $0.text }
    }
    return []
  }
}
