import CSQLite
import Foundation

/// Keeps a file equal to the models in an engine: each transaction writes the whole file before it commits.
final class JSONMirror {
  private let file: JSONFile
  private let history: JSONHistory
  // The engine's connection holds the mirror.
  private unowned let engine: DefaultStore
  /// The classes that inherit from no other model.
  private let roots: [EntityStatements]
  private var isNew: Bool
  private let kept: JSONKeptTexts?
  /// The next keys of models that the schema does not have.
  private let foreignKeys: [String: Int64]
  /// The version of the schema, where the file states it.
  private let version: Schema.Version?
  private let encoder = JSONDocument.encoder
  private var writers: [ObjectIdentifier: JSONLineWriter] = [:]

  /// Has a row while the transaction has changed a model.
  private static let touched = "trellis_touched"

  /// - Parameters:
  ///   - kept: the text of the file that the models do not represent.
  ///   - nextKeys: the next keys that the file has.
  ///   - version: the version of the schema, where the file is to state it.
  ///   - isNew: true if there is no such file yet.
  init(
    of engine: DefaultStore, in file: JSONFile, _ connection: Connection, _ history: JSONHistory,
    kept: JSONKeptTexts?, nextKeys: [String: Int64], version: Schema.Version?, isNew: Bool
  ) throws {
    self.engine = engine
    self.file = file
    self.history = history
    self.isNew = isNew
    self.version = version
    self.kept = kept
    roots = engine.plans.all.filter { $0.entity.name == $0.entity.rootName }
    let names = Set(roots.map(\.entity.table))
    foreignKeys = nextKeys.filter { !names.contains($0.key) && $0.key != JSONHistory.numberKey }
    try connection.execute("PRAGMA temp_store = MEMORY")
    try connection.execute("CREATE TEMP TABLE \(name: Self.touched) (\"isTouched\" INTEGER)")
    for table in engine.catalogue.tables {
      for event in ["INSERT", "UPDATE", "DELETE"] as [SQLFragment] {
        // "OR IGNORE" would take the conflict policy of the statement that sets off the trigger.
        try connection.execute(
          """
          CREATE TEMP TRIGGER \(name: "trellis_\(table.name)_\(event.text)") AFTER \(event) ON main.\(name: table.name)
          WHEN NOT EXISTS (SELECT 1 FROM \(name: Self.touched))
          BEGIN INSERT INTO \(name: Self.touched) VALUES (1); END
          """)
      }
    }
  }

  /// Writes the file as it is after the transaction.
  ///
  /// - Throws: an error that the transaction then fails with; the file is as it was.
  func write(_ connection: Connection) throws {
    // SQLite reports a transaction that it cannot commit.
    guard !hasDanglingReferences(connection) else { return }
    let isTouched = try !connection.rows("SELECT 1 FROM \(name: Self.touched)").isEmpty
    guard isNew || isTouched else {
      guard try history.isToBeRewritten(connection) else { return }
      return try file.beside { try history.rewrite(rights: $0, engine, connection) }
    }
    let text = try contents(connection)
    try file.replace(
      with: text, note: { try history.note(text, rights: $0, engine, connection) },
      takeBack: history.takeBack, settle: { history.settle(rights: $0, engine, connection) })
    try connection.execute("DELETE FROM \(name: Self.touched)")
    isNew = false
  }

  private func hasDanglingReferences(_ connection: Connection) -> Bool {
    var count: Int32 = 0
    var peak: Int32 = 0
    sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &peak, 0)
    return count != 0
  }

  // MARK: the text

  /// The lines of all models, by entity and key.
  private func lines(_ connection: Connection) throws -> [String: [(key: Int64, text: [UInt8])]] {
    var lines: [String: [(key: Int64, text: [UInt8])]] = [:]
    for snapshot in try engine.allSnapshots() {
      guard let definition = snapshot.batch.definition, let key = snapshot.persistentIdentifier.row
      else { continue }
      let plan = try engine.plans.plan(for: definition)
      let text = try writer(of: plan).line(snapshot, kept: kept?.texts(of: key, plan, connection) ?? [])
      lines[definition.entityName, default: []].append((key, text))
    }
    return lines
  }

  private func writer(of plan: EntityStatements) -> JSONLineWriter {
    if let known = writers[ObjectIdentifier(plan)] { return known }
    let writer = JSONLineWriter(plan)
    writers[ObjectIdentifier(plan)] = writer
    return writer
  }

  private func contents(_ connection: Connection) throws -> [UInt8] {
    let entities = try lines(connection)
    var text: [UInt8] = []
    text.reserveCapacity(entities.values.joined().reduce(1_000) { $0 + $1.text.count + 2 })
    func add(_ more: String) { text.append(contentsOf: more.utf8) }
    func quote(_ name: String) { JSONText.append(name, to: &text) }
    add("{\n\"format\": ")
    quote(JSONDocument.format)
    add(",\n\"version\": \(JSONDocument.version)")
    if let version { add(",\n\"schemaVersion\": \"\(version)\"") }
    let forms = engine.schema.codedForms
    if !forms.isEmpty {
      add(",\n\"codedForms\": ")
      text.append(contentsOf: try encoder.encode(forms))
    }
    add(",\n\"identifier\": ")
    quote(engine.identifier)
    add(",\n\"nextKeys\": ")
    text.append(contentsOf: try encoder.encode(try nextKeys(connection)))
    add(",\n\"models\": {")
    for (place, entity) in entities.sorted(by: { $0.key < $1.key }).enumerated() {
      add("\(place == 0 ? "" : ",")\n")
      quote(entity.key)
      add(": [\n")
      for (index, line) in entity.value.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { add(",\n") }
        text.append(contentsOf: line.text)
      }
      add("\n]")
    }
    add("\n}\n}\n")
    return text
  }

  private func nextKeys(_ connection: Connection) throws -> [String: Int64] {
    let taken = engine.keys.state
    var next = foreignKeys
    let last = try HistoryTables.last(connection)
    if last > 0 { next[JSONHistory.numberKey] = last }
    for name in roots.map(\.entity.table) {
      if let block = taken[name] {
        next[name] = block.next
      } else {
        let reserved = try connection.rows(
          """
          SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
          WHERE "key" = \(value: .text(StoreMetadata.Key.nextPrefix + name))
          """)
        next[name] = reserved.first?.first?.integer
      }
    }
    return next
  }
}

extension SQLValue {
  fileprivate var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
