import CSQLite
import Foundation

/// Keeps a file equal to the models in an engine: each transaction writes it before it commits.
///
/// Triggers note which rows a transaction has touched; of all others the file gets the text it had.
final class JSONMirror {
  private let file: JSONFile
  private let history: JSONHistory
  // The engine's connection holds the mirror.
  private unowned let engine: DefaultStore
  private let tables: [Table]
  /// The lines of the file, by table and key; nil until the first save, since most programs only read.
  private var lines: [[Int64: Line]]?
  private var isNew: Bool
  private let kept: JSONKeptTexts?
  /// The next keys of models the schema does not have.
  private let foreignKeys: [String: Int64]
  /// The version of the schema, where it is noted.
  private let version: Schema.Version?
  private let encoder = JSONDocument.encoder
  private var writers: [ObjectIdentifier: JSONLineWriter] = [:]

  /// The table of an entity and all that inherit from it.
  private struct Table {
    let root: EntityPlan
    var name: String { root.entity.table }
  }

  private struct Line {
    let entity: String
    let text: [UInt8]
  }

  private static let touched = "trellis_touched"

  /// - Parameters:
  ///   - kept: what the file says beyond the values of its models.
  ///   - nextKeys: as the file has them.
  ///   - version: that of the schema, where the file is to say it.
  ///   - isNew: whether there is no such file yet.
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
    let tables = engine.plans.all.filter { $0.entity.name == $0.entity.rootName }.map(Table.init)
    self.tables = tables
    let names = Set(tables.map(\.name))
    foreignKeys = nextKeys.filter { !names.contains($0.key) && $0.key != JSONHistory.numberKey }
    try connection.execute("PRAGMA temp_store = MEMORY")
    try connection.execute(
      """
      CREATE TEMP TABLE \(name: Self.touched)
      ("table" INTEGER, "key" INTEGER, PRIMARY KEY ("table", "key")) WITHOUT ROWID
      """)
    try watch(connection)
  }

  // MARK: noting

  private func watch(_ connection: Connection) throws {
    for (number, table) in tables.enumerated() {
      try watch(
        table.name, [(number, table.root.entity.keyColumn)], connection, "row")
    }
    var pairs: [String: [(Int, String)]] = [:]
    for plan in engine.plans.all {
      guard let number = self.number(of: plan.entity.rootName) else { continue }
      for list in plan.writtenLists {
        switch list.kind {
        case .join(let table, let owner, let member, _):
          // A friend of friends has the list at both ends.
          pairs[table, default: []] += [(number, owner)]
          if list.isMirrored { pairs[table, default: []] += [(number, member)] }
        case .foreignKey(let column):
          let members = try engine.plans.plan(named: list.destination)
          pairs[members.entity.table, default: []] += [(number, column)]
        }
      }
    }
    for (table, owners) in pairs { try watch(table, owners, connection, "list") }
  }

  /// Notes the models that columns of a table name, whenever one of its rows comes, changes or goes.
  private func watch(
    _ table: String, _ columns: [(table: Int, column: String)], _ connection: Connection,
    _ purpose: String
  ) throws {
    func notes(_ row: SQLFragment) -> [SQLFragment] {
      // "OR IGNORE" would give way to what the statement says that has set off the trigger.
      columns.map { number, column in
        """
        INSERT INTO \(name: Self.touched) SELECT \(number: number), \(row).\(name: column)
        WHERE \(row).\(name: column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(name: Self.touched)
        WHERE "table" = \(number: number) AND "key" = \(row).\(name: column));
        """
      }
    }
    let events: [(SQLFragment, [SQLFragment])] = [
      ("INSERT", notes("new")), ("DELETE", notes("old")), ("UPDATE", notes("old") + notes("new")),
    ]
    for (event, notes) in events {
      let name = "trellis_\(purpose)_\(table)_\(event.text)"
      try connection.execute(
        """
        CREATE TEMP TRIGGER \(name: name) AFTER \(event) ON main.\(name: table)
        BEGIN \(notes.joined(separator: " ")) END
        """)
    }
  }

  private func number(of rootName: String) -> Int? {
    tables.firstIndex { $0.root.entity.name == rootName }
  }

  // MARK: writing

  /// Writes the file as it is to be after the transaction.
  ///
  /// - Throws: what the transaction then fails with; the file is as it was.
  func write(_ connection: Connection) throws {
    // What cannot be committed is not written: SQLite says so itself.
    guard !hasDanglingReferences(connection) else { return }
    var touched: [Int: [Int64]] = [:]
    for row in try connection.rows("SELECT \"table\", \"key\" FROM \(name: Self.touched)") {
      guard let table = row[0].integer, let key = row[1].integer else { continue }
      touched[Int(table), default: []].append(key)
    }
    guard isNew || !touched.isEmpty else {
      guard try history.isToBeRewritten(connection) else { return }
      return try file.beside { try history.rewrite(rights: $0, engine, connection) }
    }
    var new = try lines ?? everything(connection)
    if lines != nil {
      for (number, keys) in touched {
        let found = try text(of: keys, in: number, connection)
        for key in keys { new[number][key] = found[key] }
      }
    }
    let text = try contents(of: new, connection)
    try file.replace(
      with: text, note: { try history.note(text, rights: $0, engine, connection) },
      takeBack: history.takeBack, settle: { history.settle(rights: $0, engine, connection) })
    try connection.execute("DELETE FROM \(name: Self.touched)")
    lines = new
    isNew = false
  }

  /// The lines of every model as it is in the transaction.
  private func everything(_ connection: Connection) throws -> [[Int64: Line]] {
    try tables.enumerated().map { number, table in
      let keys = try connection.rows(
        "SELECT \(name: table.root.entity.keyColumn) FROM \(name: table.name)")
      return try text(of: keys.compactMap(\.first?.integer), in: number, connection)
    }
  }

  private func hasDanglingReferences(_ connection: Connection) -> Bool {
    var count: Int32 = 0
    var peak: Int32 = 0
    sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &peak, 0)
    return count != 0
  }

  /// The lines of rows as they are now, without those that are not there any more.
  private func text(
    of keys: [Int64], in number: Int, _ connection: Connection
  ) throws -> [Int64: Line] {
    let token = tables[number].root.token
    var collector = SnapshotCollector()
    try engine.rows(of: keys.map { PersistentIdentifier(token: token, row: $0) }) {
      try collector.add(&$0)
    }
    var found: [Int64: Line] = [:]
    found.reserveCapacity(collector.snapshots.count)
    for snapshot in collector.snapshots {
      guard let definition = snapshot.batch.definition, let key = snapshot.persistentIdentifier.row
      else { continue }
      let plan = try engine.plans.plan(for: definition)
      found[key] = Line(
        entity: definition.entityName,
        text: try writer(for: definition).line(
          snapshot, members: try lists(of: snapshot, plan),
          kept: try kept?.texts(of: key, plan, connection) ?? []))
    }
    return found
  }

  private func writer(for definition: ModelDefinition) -> JSONLineWriter {
    if let known = writers[ObjectIdentifier(definition)] { return known }
    let writer = JSONLineWriter(definition.layout)
    writers[ObjectIdentifier(definition)] = writer
    return writer
  }

  /// The members of lists of which the file says what no other model does.
  private func lists(of snapshot: DefaultSnapshot, _ plan: EntityPlan) throws -> [Int: [Int64]] {
    var lists: [Int: [Int64]] = [:]
    for list in plan.writtenLists {
      let request = DataStoreRelatedRequest(
        owners: [snapshot.persistentIdentifier], entityName: plan.entity.name, slot: list.slot,
        editingState: EditingState())
      let members = try engine.plans.plan(named: list.destination).entity.definition
      lists[list.slot] = try engine.memberKeys(request, members.modelType)
    }
    return lists
  }

  // MARK: the text

  private func contents(
    of lines: [[Int64: Line]], _ connection: Connection
  ) throws -> [UInt8] {
    var entities: [String: [(key: Int64, text: [UInt8])]] = [:]
    var length = 0
    for table in lines {
      for (key, line) in table {
        entities[line.entity, default: []].append((key, line.text))
        length += line.text.count + 2
      }
    }
    var text: [UInt8] = []
    text.reserveCapacity(length + 1_000)
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
    for table in tables {
      if let block = taken[table.name] {
        next[table.name] = block.next
      } else {
        let reserved = try connection.rows(
          """
          SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
          WHERE "key" = \(value: .text(StoreMetadata.Key.nextPrefix + table.name))
          """)
        next[table.name] = reserved.first?.first?.integer
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

extension DefaultStore {
  /// The keys of the members of a list, in their order.
  fileprivate func memberKeys<M: PersistentModel>(
    _ request: DataStoreRelatedRequest, _: M.Type
  ) throws -> [Int64] {
    try identifiers(Query<M>(FetchDescriptor(), request.editingState, list: request)).compactMap(\.row)
  }
}
