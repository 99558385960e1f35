import CSQLite
import Foundation
package import SchemaModel
import Trellis

/// The result of examining a store.
package struct CheckReport: Encodable, Sendable {
  package let store: String
  /// The schema version that the store records; nil if it cannot be read.
  package var version: String?
  package var rows = 0
  package var findings: [Finding] = []

  package var text: String {
    let lines = findings.map { "\($0.text)\n" }.joined()
    let title = version.map { "\(store): version \($0), \(rows) rows" } ?? store
    guard !findings.isEmpty else { return "\(title): no problems\n" }
    let repairable = findings.count(where: \.isRepairable)
    let advice =
      repairable == 0
      ? "No finding can be repaired automatically: restore a backup, or correct the values with the app"
      : "\(repairable) of \(findings.count) findings can be repaired: 'trellis store check FILE --repair COPY'"
    return "\(title): \(findings.count) problem\(findings.count == 1 ? "" : "s")\n\(lines)\(advice)\n"
  }
}

/// Examines every part of a store: pages, tables, triggers, references, values, bookkeeping, history and files.
package struct StoreChecker {
  private let store: ExaminedStore
  private let progress: (String) -> Void
  private let rules: ValueRules
  private var findings: [Finding] = []
  private var rows = 0

  /// - Parameters:
  ///   - schemas: The schemas that declare the values; empty for the schema source in the store.
  ///   - progress: Called with the part that is examined next.
  package static func check(
    _ path: String, schemas: [ResolvedSchema] = [], _ progress: (String) -> Void = { _ in }
  ) throws -> CheckReport {
    var report = CheckReport(store: path)
    do {
      let store = try ExaminedStore(path)
      report.version = store.metadata.version.description
      try withoutActuallyEscaping(progress) { progress in
        var checker = StoreChecker(store, schemas.isEmpty ? store.sources() : schemas, progress)
        try checker.run()
        report.findings = checker.findings
        report.rows = checker.rows
      }
    } catch let failure as CareFailure where failure.isAboutStore {
      report.findings = [Finding(.unreadableSchema, nil, nil, failure.description)]
    } catch let error as SQLiteError {
      report.findings = [Finding(.damagedPages, nil, nil, ExaminedStore.failure(error, path).description)]
    }
    return report
  }

  private init(_ store: ExaminedStore, _ schemas: [ResolvedSchema], _ progress: @escaping (String) -> Void) {
    self.store = store
    self.progress = progress
    rules = ValueRules(schemas)
  }

  private mutating func run() throws {
    let check = StoreCheck(store.connection, store.catalogue, path: store.path)
    try store.connection.read {
      progress("pages")
      guard try checkPages(check) else { return }
      progress("tables")
      findings += try check.differences().map { Finding(.differentTable, nil, nil, $0) }
      findings += try CatalogueChecks(store).findings()
      try attempt { try Self.fileFindings(check) }
      let complete = try store.completeEntities()
      try attempt { [store] in try RelationChecks(store, complete).findings() }
      for (table, entities) in complete {
        progress("rows of \(table)")
        var scan = RowScan(store, table, entities, rules)
        try attempt { try scan.run() }
        rows += scan.rows
      }
      progress("history")
      try attempt { [store] in try HistoryChecks(store).findings() }
    }
  }

  /// Runs a part that may fail because a page or a definition is damaged.
  private mutating func attempt(_ body: () throws -> [Finding]) throws {
    do {
      findings += try body()
    } catch let error as SQLiteError {
      let finding = Finding(.damagedPages, nil, nil, ExaminedStore.failure(error, store.path).description)
      if !findings.contains(finding) { findings.append(finding) }
    }
  }

  /// - Returns: False if rows cannot be read reliably.
  private mutating func checkPages(_ check: StoreCheck) throws -> Bool {
    // Values are examined below, with their rows.
    let lines = try check.damage().filter { !$0.contains(" value in ") }
    let (indexes, pages) = (lines.filter(Self.isAboutIndex), lines.filter { !Self.isAboutIndex($0) })
    if !indexes.isEmpty {
      findings.append(
        Finding(
          .damagedPages, count: indexes.count, examples: indexes,
          "an index does not match its table, so that fetches "
            + "miss rows"))
    }
    guard !pages.isEmpty else { return true }
    findings.append(
      Finding(
        .damagedPages, count: pages.count, examples: pages,
        "SQLite cannot read a part of the file, so its rows were not examined: restore a backup"))
    return false
  }

  private static func isAboutIndex(_ line: String) -> Bool {
    line.contains(" index ") && (line.hasPrefix("row ") || line.hasPrefix("wrong # of") || line.hasPrefix("non-unique"))
  }

  private static func fileFindings(_ check: StoreCheck) throws -> [Finding] {
    let problems = Dictionary(grouping: try check.fileProblems()) { $0.reason }
    return problems.sorted { $0.key < $1.key }.map { reason, files in
      let kind: Finding.Kind = files[0].isOrphan ? .orphanedFile : .missingFile
      return Finding(kind, count: files.count, examples: files.map(\.name).sorted(), "a file \(reason)")
    }
  }
}

extension ExaminedStore {
  /// The tables that have all of their columns, with their entities. Rows of other tables cannot be examined.
  func completeEntities() throws -> [(table: String, entities: [EntityLayout])] {
    let tables = Dictionary(grouping: catalogue.layout.entities, by: \.table)
    return try tables.keys.sorted().compactMap { table in
      guard let definition = catalogue.tables.first(where: { $0.name == table }) else { return nil }
      let names = Set(try connection.rows("PRAGMA table_info(\(name: table))").map(\.[1].text))
      return names.isSuperset(of: definition.columns.map(\.name)) ? (table, tables[table] ?? []) : nil
    }
  }

  /// Returns a query's first column as examples, with the number of rows.
  func examples(_ rows: SQLFragment) throws -> (count: Int, examples: [String]) {
    let count = try connection.integers("SELECT count(*) FROM (\(rows))").first ?? 0
    guard count > 0 else { return (0, []) }
    let first = try connection.rows("SELECT * FROM (\(rows)) LIMIT \(number: Finding.exampleLimit)")
    return (Int(count), first.map { $0.map(\.text).joined(separator: "/") })
  }
}
