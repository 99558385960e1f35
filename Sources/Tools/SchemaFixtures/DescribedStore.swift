package import Foundation
package import Trellis

/// Creates stores for models that have no classes.
package enum DescribedStore {
  /// Creates a store with the layout that the schema's app would create, and saves rows.
  ///
  /// - Parameters:
  ///   - rows: The rows by model. References must refer to these rows.
  ///   - url: A location that does not exist yet.
  ///   - identifier: The store identifier.
  /// - Throws: Errors from saving. The store then exists and has no rows.
  package static func write(
    _ rows: [String: [DescribedRow]], of schema: Schema, to url: URL, identifier: String
  ) throws {
    try write(
      rows, of: schema,
      into: DefaultStore(ModelConfiguration(schema: schema, url: url), identifier: identifier))
  }

  /// Saves rows to an empty store.
  ///
  /// - Parameters:
  ///   - rows: The rows by model. References must refer to these rows.
  ///   - schema: The store's schema.
  /// - Throws: Errors from saving.
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
    request.refusesMerges = true
    _ = try store.save(request)
  }
}
