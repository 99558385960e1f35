import Foundation

/// Reads a JSON file into an engine that keeps the file up to date from then on.
struct JSONFileOpener: Sendable {
  let path: String
  let schema: Schema
  let allowsSave: Bool

  func open() throws -> DefaultStore {
    let file = JSONFile(path: path)
    if allowsSave { try file.acquire() }
    let contents = try file.read()
    guard contents != nil || allowsSave else {
      throw file.failure(.missing, "there is no store to read: open it once with 'allowsSave: true'")
    }
    let engine = try contents.map { try read($0, file) } ?? makeEngine(nil)
    if allowsSave {
      try engine.pool.exclusively { connection in
        let mirror = try JSONMirror(of: engine, in: file, connection, isNew: contents == nil)
        connection.beforeCommit = mirror.write
      }
    }
    return engine
  }

  private func makeEngine(_ identifier: String?) throws -> DefaultStore {
    var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    configuration.schema = schema
    return try DefaultStore(configuration, identifier: identifier)
  }

  private func read(_ contents: Data, _ file: JSONFile) throws -> DefaultStore {
    let wayOut = FileManager.default.fileExists(atPath: file.previousPath)
      ? "; nothing was touched, and '\(file.previousPath)' is what it was before the last save"
      : "; nothing was touched"
    do {
      let read = try JSONContents(contents) { try makeEngine($0) }
      try read.engine.load(read.snapshots, nextKeys: read.nextKeys)
      return read.engine
    } catch let error as JSONContents.Unknown {
      throw file.failure(error.problem, error.description + wayOut)
    } catch let error as DecodingError {
      throw file.failure(.damaged, "the file cannot be read: \(error.place)" + wayOut)
    } catch let error as SwiftDataError {
      throw file.failure(.damaged, "the models of the file do not fit together: \(error)" + wayOut)
    } catch let error as SQLiteError {
      throw file.failure(.damaged, "the models of the file do not fit together: \(error)" + wayOut)
    }
  }
}

extension DefaultStore {
  /// Inserts models that have been elsewhere, under the keys they had there.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` when they do not keep the rules of the schema;
  ///   then none is inserted.
  func load(_ snapshots: [DefaultSnapshot], nextKeys: [String: Int64]) throws {
    let request = DataStoreSaveChangesRequest(
      inserted: snapshots, updated: [], deleted: [], editingState: EditingState())
    try writing { connection in
      let pass = StoreSavePass(store: self, connection: connection, request: request)
      pass.keepsKeys = true
      try connection.write(explaining: { pass.explained($0) }) {
        try pass.run()
        try pass.completePairs()
        try pass.checkDerivedLists()
        try pass.throwViolations()
        if let position = pass.merged.first {
          let snapshot = snapshots[position]
          throw SwiftDataError.modelValidationFailure.explained(
            "\(snapshot.persistentIdentifier) has the unique values of another model")
        }
        for (table, next) in nextKeys {
          try StoreMetadata.write(
            .integer(next), for: StoreMetadata.Key.nextPrefix + table, connection)
        }
      }
      persistedMarks.formUnion(pass.newMarks)
    }
  }
}

extension DecodingError {
  /// What is wrong and where: `models.Trip[3].name: …`.
  fileprivate var place: String {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return "\(self)"
    }
    var path = ""
    for key in context.codingPath {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return (path.isEmpty ? "" : path + ": ") + context.debugDescription
  }
}
