package import SchemaModel
import StoreInspection
import Trellis

/// The version, the schema names and the models that a store records, to recognize the files that declare them.
package struct RecordedSchema {
  package let version: SchemaVersion
  /// The schemas in the store's source text; empty if there is none, or if it names none.
  private let names: Set<String>
  /// The properties of each model.
  private let models: [String: Set<String>]

  /// Returns nil if the store's schema cannot be read.
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

  /// True if a schema file may declare a part of the store.
  package func contains(_ schema: ResolvedSchema) -> Bool {
    let declared = Set(schema.entities.flatMap(\.properties).map(\.name))
    return schema.version == version && (names.isEmpty || names.contains(schema.name))
      && schema.entities.allSatisfy { entity in models[entity.name]?.isSubset(of: declared) ?? false }
  }

  /// True if schemas declare every model.
  package func isDescribed(by schemas: [ResolvedSchema]) -> Bool {
    Set(schemas.flatMap(\.entities).map(\.name)) == Set(models.keys)
  }
}
