package import Foundation
package import Trellis

/// Stores of models this program has no classes of.
package enum DescribedStore {
  /// Makes a store as the program would whose schema it is, and saves rows into it as that program does.
  ///
  /// - Parameters:
  ///   - rows: by model. References lead to rows among them.
  ///   - url: a place where nothing is.
  ///   - identifier: what the store is to be called.
  /// - Throws: what saving throws; the store is there then, without rows.
  package static func write(
    _ rows: [String: [DescribedRow]], of schema: Schema, to url: URL, identifier: String
  ) throws {
    try write(
      rows, of: schema,
      into: DefaultStore(ModelConfiguration(schema: schema, url: url), identifier: identifier))
  }

  /// Saves rows into an empty store.
  ///
  /// - Parameters:
  ///   - rows: by model. References lead to rows among them.
  ///   - schema: the schema of the store.
  /// - Throws: what saving throws.
  package static func write<Store: DataStore>(
    _ rows: [String: [DescribedRow]], of schema: Schema, into store: Store
  ) throws where Store.Snapshot == DefaultSnapshot {
    var serials: [String: Int64] = [:]
    var next: Int64 = 1
    for entity in schema.entities {
      serials[entity.name] = next
      next += Int64(rows[entity.name]?.count ?? 0)
    }
    var inserted: [DefaultSnapshot] = []
    for entity in schema.entities {
      guard let definition = entity.definition, let own = rows[entity.name] else { continue }
      let buffer = DescribedBuffer(DescribedModelRows(definition: definition, rows: own, serials: serials))
      inserted += own.indices.map { DefaultSnapshot(buffer: buffer, index: $0) }
    }
    guard !inserted.isEmpty else { return }
    var request = DataStoreSaveChangesRequest(
      inserted: inserted, updated: [], deleted: [], editingState: EditingState())
    request.isTimeless = true
    let result = try store.save(request)
    // Nothing that was to be a separate row may have become another one.
    guard let merged = result.merged.first else { return }
    throw SwiftDataError.modelValidationFailure.explained(
      "a row of '\(inserted[merged].persistentIdentifier.entityName)' has the values of another one")
  }
}
