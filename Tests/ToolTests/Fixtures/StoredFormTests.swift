import Foundation
import SchemaFixtures
import SchemaModel
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// When the app encodes the values that it has read, the resulting text must be identical.
struct StoredFormTests {
  @Test(arguments: SchemaUnderTest.quick) func storedTextsMatchTheProgramsEncoding(_ schema: SchemaUnderTest) throws {
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try schema.write(to: url)
      let store = try DefaultStore(
        ModelConfiguration(schema: Schema(versionedSchema: schema.compiled), url: url))
      let reader = try StoreReader(url)
      // A field with an unknown type uses its default value and is not written.
      let partial = schema.version.structs.filter { type in
        type.fields.contains { if case .opaque = $0.type { true } else { false } }
      }.map(\.ownName)
      for entity in store.catalogue.layout.entities {
        for column in entity.columns {
          guard case .attribute(let type) = column.property.kind, column.members.isEmpty,
            column.type.affinity == .text, column.type.comparison == .none,
            let codable = type as? any Codable.Type, !partial.contains(where: { "\(type)".contains($0) })
          else { continue }
          let rows = try reader.rows("SELECT DISTINCT \(name: column.name) FROM \(name: entity.table)")
          for case .text(let text)? in rows.map(\.first) {
            try check(text, codable, "\(entity.name).\(column.name)")
          }
        }
      }
    }
  }

  private func check<V: Codable>(_ text: String, _: V.Type, _ name: String) throws {
    // These values have no fixed order; a column contains them sorted.
    let type = "\(V.self)"
    if type.contains("Set<") || type.contains("Dictionary<") && text.hasPrefix("[") { return }
    let value = try JSONColumn.value(V.self, from: Data(text.utf8))
    #expect(try JSONColumn.text(of: value) == text, "\(name)")
  }
}
