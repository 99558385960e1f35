import Foundation
import Trellis

/// Keeps a file equal to the models in an engine: each transaction writes the whole file before it commits.
final class JSONMirror {
  private let file: JSONFile
  private let history: JSONHistory
  // The engine's connection holds the mirror.
  private unowned let engine: DefaultStore
  private let kept: JSONKeptTexts?
  /// The next keys of models that the schema does not have.
  private let foreignKeys: [String: Int64]
  /// The version of the schema, if the file is to state it.
  private let version: Schema.Version?
  private var isNew: Bool
  private let encoder = JSONDocument.encoder
  private var writers: [String: JSONLineWriter] = [:]

  /// - Parameters:
  ///   - read: the contents of the file; nil if there is none.
  ///   - version: the version of the schema, if the file is to state it.
  init(
    of engine: DefaultStore, in file: JSONFile, _ history: JSONHistory, _ read: JSONFileOpener.Read?,
    version: Schema.Version?
  ) {
    self.engine = engine
    self.file = file
    self.history = history
    self.version = version
    kept = read?.kept
    foreignKeys = read?.nextKeys ?? [:]
    isNew = read?.isMigrated ?? true
  }

  /// Writes the file as it is after the transaction.
  ///
  /// - Throws: an error that the transaction then fails with; the file is as it was.
  func write(_ connection: Connection, isTouched: Bool) throws {
    let exchange = HistoryExchange(engine, connection)
    guard isNew || isTouched else {
      guard try history.isToBeRewritten(exchange) else { return }
      return try file.writing { try history.rewrite(rights: $0, exchange) }
    }
    let text = try contents(connection, last: exchange.last())
    try file.writing { rights in
      try history.noting(text, rights, exchange) { note in
        try file.replace(with: text, rights, beforehand: note)
      }
    }
    isNew = false
  }

  private func contents(_ connection: Connection, last: Int64) throws -> Data {
    var text = Data("{\n\"format\": \"\(JSONDocument.format)\",\n\"version\": \(JSONDocument.version)".utf8)
    func add(_ key: JSONDocument.Key, _ value: some Encodable) throws {
      text += Data(",\n\"\(key.rawValue)\": ".utf8) + (try encoder.encode(value))
    }
    if let version { try add(.schemaVersion, "\(version)") }
    if !engine.schema.codedForms.isEmpty { try add(.codedForms, engine.schema.codedForms) }
    try add(.identifier, engine.identifier)
    var nextKeys = try foreignKeys.merging(engine.nextKeys(connection)) { $1 }
    nextKeys[HistoryExchange.numberKey] = last > 0 ? last : nil
    try add(.nextKeys, nextKeys)
    let models = try lines(connection).sorted { $0.key < $1.key }.map { name, lines in
      let sorted = lines.sorted { $0.key < $1.key }.map(\.text)
      return try encoder.encode(name) + Data(": [\n".utf8) + Data(sorted.joined(separator: Data(",\n".utf8)))
        + Data("\n]".utf8)
    }
    text += Data(",\n\"models\": {".utf8)
    if !models.isEmpty { text += Data("\n".utf8) + Data(models.joined(separator: Data(",\n".utf8))) }
    text += Data("\n}\n}\n".utf8)
    return text
  }

  /// The lines of all models, by entity.
  private func lines(_ connection: Connection) throws -> [String: [(key: Int64, text: Data)]] {
    var lines: [String: [(key: Int64, text: Data)]] = [:]
    for snapshot in try engine.allSnapshots() {
      guard let name = snapshot.entityName, let key = snapshot.persistentIdentifier.row,
        let writer = try writers[name] ?? engine.storedClass(name).map(JSONLineWriter.init)
      else { continue }
      writers[name] = writer
      let text = try writer.line(snapshot, key, kept: kept?.texts(of: key, writer.entity, connection) ?? [])
      lines[name, default: []].append((key, text))
    }
    return lines
  }
}
