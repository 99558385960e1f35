package import SchemaModel
import StoreInspection
import Trellis

/// A store's recorded version, schema names and models, used to find the matching schema files.
package struct RecordedSchema {
  package let version: SchemaVersion
  /// The schema names in the store's source text; may be empty.
  private let names: Set<String>
  /// Property names by model.
  private let models: [String: Set<String>]

  /// Returns `nil` if the store's schema cannot be read.
  package init?(_ path: String) throws {
    let store: ExaminedStore
    do {
      store = try ExaminedStore(path)
    } catch let failure as CareFailure where failure.isAboutStore {
      return nil
    }
    guard let version = SchemaVersion(store.metadata.version.description) else { return nil }
    self.version = version
    names = Set(store.sources().map(\.name))
    models = Dictionary(
      store.catalogue.schema.entities.map { ($0.name, Set($0.storedProperties.map(\.name))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// True if a schema file may declare part of the store.
  package func contains(_ schema: ResolvedSchema) -> Bool {
    let declared = Set(schema.entities.flatMap(\.properties).map(\.name))
    return schema.version == version && (names.isEmpty || names.contains(schema.name))
      && schema.entities.allSatisfy { entity in models[entity.name]?.isSubset(of: declared) ?? false }
  }

  /// True if the schemas declare every model.
  package func isDescribed(by schemas: [ResolvedSchema]) -> Bool {
    Set(schemas.flatMap(\.entities).map(\.name)) == Set(models.keys)
  }
}
