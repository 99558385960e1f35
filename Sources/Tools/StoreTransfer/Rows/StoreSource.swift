import CSQLite
package import Foundation
package import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import StoreCare
package import Trellis

/// A store opened read-only, possibly while in use, and the schema that it contains.
package final class StoreSource {
  package let url: URL
  package let connection: Connection
  /// The store's own schema.
  package let target: TransferTarget
  /// The files that declare the schema.
  package let schemaFiles: [SourceFile]
  /// The app's module, if it affects how values are stored (as with value transformer classes).
  package let module: String?
  private let file: SharedFile

  /// - Throws: ``TransferError``, and `CareFailure` if SQLite cannot read the file.
  package init(_ url: URL) throws {
    // SQLite names the log after the file itself, not after a symbolic link.
    let url = url.resolvingSymlinksInPath()
    let path = url.path
    self.url = url
    switch FileKind(at: path) {
    case .regular: break
    case .nothing: throw TransferError("\(path): no such store")
    case .folder, .special: throw TransferError("\(path): not a file")
    }
    do {
      file = try SharedFile(path)
    } catch let error as SQLiteError {
      throw Self.failure(error, path)
    }
    connection = file.connection
    try Self.checkFormat(connection, path)
    let recorded = try RecordedSchema(try Self.metadata(connection, path), path)
    (target, schemaFiles, module) = (recorded.target, recorded.files, recorded.module)
  }

  /// Refuses a store of a newer format, whose rows may have another meaning.
  private static func checkFormat(_ connection: Connection, _ path: String) throws {
    let format = try? connection.integers(
      """
      SELECT "value" FROM \(name: StoreCatalogue.metadataTable) WHERE "key" = \(literal: StoreMetadata.Key.format)
      """
    ).first
    guard let format, format > StoreMetadata.currentFormat else { return }
    throw TransferError("\(path): the store has the newer format \(format): use a newer version of this tool")
  }

  private static func metadata(_ connection: Connection, _ path: String) throws -> [String: String] {
    let wanted = [StoreMetadata.Key.source, StoreMetadata.Key.fingerprint, StoreMetadata.Key.schema]
    do {
      let rows = try connection.rows(
        """
        SELECT "key", "value" FROM \(name: StoreCatalogue.metadataTable) WHERE "key" IN (\(literals: wanted))
        """)
      return rows.reduce(into: [:]) { values, row in
        if case .text(let key) = row[0], case .text(let value) = row[1] { values[key] = value }
      }
    } catch let error as SQLiteError {
      throw failure(error, path)
    }
  }

  private static func failure(_ error: SQLiteError, _ path: String) -> any Error {
    // The first code is for a missing table.
    [.init(rawValue: SQLITE_ERROR), .notADatabase].contains(error.code)
      ? TransferError("\(path): not a readable Trellis store: \(error)") : CareFailure(error, path)
  }

  /// Runs queries on a consistent snapshot of the store.
  ///
  /// - Throws: `CareFailure` if SQLite cannot read the file, and other errors from `body`.
  package func read<T>(_ body: () throws -> T) throws -> T {
    do {
      return try file.read(body)
    } catch let error as SQLiteError {
      throw CareFailure(error, url.path)
    }
  }
}

/// The schema that a store records in its metadata.
package struct RecordedSchema {
  package let target: TransferTarget
  /// The files that declare the schema.
  package let files: [SourceFile]
  /// See ``StoreSource/module``.
  package let module: String?

  /// - Parameters:
  ///   - metadata: The values by key.
  ///   - place: The store, for messages.
  /// - Throws: ``TransferError``.
  package init(_ metadata: [String: String], _ place: String) throws {
    guard let text = metadata[StoreMetadata.Key.source] else {
      throw TransferError(
        "\(place): the store does not contain its schema text, because its models are handwritten Swift classes")
    }
    let files = Self.files(in: text)
    self.files = files
    let modules = metadata[StoreMetadata.Key.schema].map(Self.modules) ?? []
    let fingerprint = metadata[StoreMetadata.Key.fingerprint]
    var found: TransferTarget?
    do {
      module =
        try ([nil] + modules).first { module in
          let target = try TransferTarget(files, module: module)
          guard SchemaFingerprint.text(of: target.schema) == fingerprint else { return false }
          found = target
          return true
        } ?? nil
    } catch {
      throw TransferError("\(place): the store's schema cannot be used: \(error)")
    }
    guard let found else {
      throw TransferError(
        "\(place): the store's schema text does not match its tables; open the store with the app, which updates both")
    }
    target = found
  }

  /// Returns value transformer modules, which are part of the recorded schema but not of the schema text.
  private static func modules(_ recorded: String) -> [String] {
    guard let schema = try? JSONColumn.value(Schema.self, from: Data(recorded.utf8)) else { return [] }
    let options = schema.entities.flatMap(\.storedProperties).compactMap(\.asAttribute).flatMap(\.options)
    let names = options.filter { $0.keyword == "transformable" }.compactMap(\.argument)
    return Set(names.map { String($0.prefix { $0 != "." }) }).sorted()
  }

  /// Splits the recorded text at the `schema` lines. Each part is a schema file.
  package static func files(in text: String) -> [SourceFile] {
    var parts: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("schema "), parts.contains(where: { $0.contains { $0.hasPrefix("schema ") } }) {
        parts.append([])
      }
      parts[parts.count - 1].append(line)
    }
    return parts.enumerated().map { number, lines in
      SourceFile(path: number == 0 ? "store.schema" : "store-\(number + 1).schema", text: lines.joined(separator: "\n"))
    }
  }
}

extension TransferTarget {
  /// Compiles schema files that contain a single schema.
  ///
  /// - Throws: ``TransferError``, and ``FixtureRefusal`` if the schema does not specify how a value is stored.
  package init(_ files: [SourceFile], module: String? = nil) throws {
    let compilation = SchemaCompiler.compile(files)
    if let error = compilation.diagnostics.first(where: { $0.severity == .error }) {
      throw TransferError("\(error.message)")
    }
    guard let schema = compilation.schemas.first, compilation.schemas.count == 1 else {
      let names = compilation.schemas.map(\.name).joined(separator: ", ")
      throw TransferError(names.isEmpty ? "there are no models" : "there are several schemas: \(names)")
    }
    try self.init(schema, in: SchemaHistory(head: schema), files: files, module: module ?? schema.name)
  }
}
