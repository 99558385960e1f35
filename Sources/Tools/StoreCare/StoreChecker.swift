import CSQLite
import Foundation
package import SchemaModel
import Trellis

/// The result of checking a store.
package struct CheckReport: Encodable, Sendable {
  package let store: String
  /// The recorded schema version; `nil` if it cannot be read.
  package var version: String?
  package var rows = 0
  package var findings: [Finding] = []

  package var text: String {
    let lines = findings.map { "\($0.text)\n" }.joined()
    let title = version.map { "\(store): version \($0), \(counted(rows, "row"))" } ?? store
    guard !findings.isEmpty else { return "\(title): no problems\n" }
    let repairable = findings.count(where: \.isRepairable)
    let advice =
      repairable == 0
      ? "No finding can be repaired automatically: restore a backup, or correct the values with the app"
      : "\(repairable) of \(counted(findings.count, "finding")) can be repaired: 'trellis store check FILE --repair COPY'"
    return "\(title): \(counted(findings.count, "problem"))\n\(lines)\(advice)\n"
  }
}

/// Checks every part of a store: pages, tables, triggers, references, values, bookkeeping, history and files.
package struct StoreChecker {
  private let store: ExaminedStore
  private let progress: (String) -> Void
  private let rules: ValueRules
  private var findings: [Finding] = []
  private var rows = 0

  /// - Parameters:
  ///   - schemas: The schemas that declare the values; empty to use the store's schema source.
  ///   - progress: Called with each part's name before it is checked.
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
      report.findings = [Finding(.unreadableSchema, nil, nil, failure.reason(path))]
    } catch let error as SQLiteError {
      report.findings = [try damage(error, path)]
    }
    return report
  }

  /// - Throws: ``CareFailure`` if the cause is outside the store, such as the disk or a concurrent process.
  private static func damage(_ error: SQLiteError, _ path: String) throws -> Finding {
    let failure = CareFailure(error, path)
    guard failure.isAboutStore else { throw failure }
    return Finding(.damagedPages, nil, nil, failure.reason(path))
  }

  private init(_ store: ExaminedStore, _ schemas: [ResolvedSchema], _ progress: @escaping (String) -> Void) {
    self.store = store
    self.progress = progress
    rules = ValueRules(schemas)
  }

  private mutating func run() throws {
    let check = StoreCheck(store.connection, store.catalogue, path: store.path)
    try store.read {
      progress("pages")
      guard try checkPages() else { return }
      progress("tables")
      if let problem = store.folderProblem {
        findings.append(Finding(.missingFile, nil, nil, "the folder of external files \(problem)"))
      }
      let complete = try store.completeEntities()
      let parts = CatalogueChecks(store).parts + [{ try Self.fileFindings(check) }]
      for part in parts + RelationChecks(store, complete).parts { try attempt(part) }
      for (table, entities) in complete {
        progress("rows of \(table)")
        var scan = RowScan(store, table, entities, rules)
        try attempt { try scan.run() }
        rows += scan.rows
      }
      progress("history")
      for part in HistoryChecks(store).parts { try attempt(part) }
    }
  }

  /// Runs a part that may fail because a page or a definition is damaged.
  private mutating func attempt(_ body: () throws -> [Finding]) throws {
    do {
      findings += try body()
    } catch let error as SQLiteError {
      // A missing table is already reported.
      if error.code.rawValue == SQLITE_ERROR, findings.contains(where: { $0.kind == .differentTable }) { return }
      let finding = try Self.damage(error, store.path)
      if !findings.contains(finding) { findings.append(finding) }
    }
  }

  /// - Returns: False if rows cannot be read reliably.
  private mutating func checkPages() throws -> Bool {
    let own = try store.ownIndexes()
    var lines = try store.damage("integrity_check")
    lines.removeAll { line in Self.isAboutIndex(line) && !own.contains { line.hasSuffix(" index \($0)") } }
    let unused = lines.filter(ExaminedStore.isAboutUnusedPage)
    if !unused.isEmpty {
      findings.append(
        Finding(
          .damagedPages, count: unused.count, examples: unused,
          "a page is neither used nor free: 'trellis store compact' returns it, and no row is affected"))
    }
    lines.removeAll(where: unused.contains)
    let (indexes, pages) = (lines.filter(Self.isAboutIndex), lines.filter { !Self.isAboutIndex($0) })
    if !indexes.isEmpty {
      findings.append(
        Finding(
          .damagedPages, count: indexes.count, examples: indexes,
          "an index does not match its table, so that fetches miss rows", isRepairable: true))
    }
    guard !pages.isEmpty else { return true }
    findings.append(
      Finding(
        .damagedPages, count: pages.count, examples: pages,
        "SQLite cannot read a part of the file, so its rows were not checked: restore a backup"))
    return false
  }

  private static func isAboutIndex(_ line: String) -> Bool {
    line.contains(" index ")
      && (line.hasPrefix("row ") || line.hasPrefix("wrong # of") || line.hasPrefix("non-unique")
        || line.hasPrefix("rowid not"))
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
  /// Returns SQLite's messages about pages and indexes. Values and third-party constraints are ignored.
  ///
  /// - Parameter test: `integrity_check`, or `quick_check`, which ignores indexes.
  func damage(_ test: SQLFragment) throws -> [String] {
    func lines(_ table: SQLFragment = "") throws -> [String] {
      try connection.rows("PRAGMA \(test)\(table)").map(\.[0].text).filter { $0 != "ok" }
    }
    var all: [String]
    do {
      all = try lines()
    } catch let error as SQLiteError where error.code == .corrupt {
      all = [error.message]
    } catch let error as SQLiteError where error.code.rawValue == SQLITE_ERROR {
      // Third-party tables may require custom functions, so check only the store's tables.
      all = try catalogue.tables.flatMap { try lines("(\(name: $0.name))") }
    }
    all.removeAll { line in [" value in ", "constraint failed in "].contains { line.contains($0) } }
    return all
  }

  static func isAboutUnusedPage(_ line: String) -> Bool { line.hasSuffix("never used") }

  /// Indexes on the store's tables, except those with custom collations.
  func ownIndexes() throws -> Set<String> {
    let known: Set<String> = ["BINARY", "NOCASE", "RTRIM"]
    let names = try catalogue.tables.flatMap { table in
      try connection.rows("PRAGMA index_list(\(name: table.name))").map(\.[1].text)
    }
    return Set(
      try names.filter { name in
        try connection.rows("PRAGMA index_xinfo(\(name: name))").allSatisfy { known.contains($0[4].text.uppercased()) }
      })
  }

  /// Tables in which all columns exist, with the entities. Rows in incomplete tables cannot be checked.
  func completeEntities() throws -> [(table: String, entities: [EntityLayout])] {
    let tables = Dictionary(grouping: catalogue.layout.entities, by: \.table)
    return try tables.keys.sorted().compactMap { table in
      guard let definition = catalogue.tables.first(where: { $0.name == table }) else { return nil }
      let names = Set(try connection.rows("PRAGMA table_info(\(name: table))").map(\.[1].text))
      return names.isSuperset(of: definition.columns.map(\.name)) ? (table, tables[table] ?? []) : nil
    }
  }

  /// Returns a query's row count, with the first rows as examples.
  func examples(_ rows: SQLFragment) throws -> (count: Int, examples: [String]) {
    let count = try connection.integers("SELECT count(*) FROM (\(rows))").first ?? 0
    guard count > 0 else { return (0, []) }
    let first = try connection.rows("SELECT * FROM (\(rows)) LIMIT \(number: Finding.exampleLimit)")
    return (Int(count), first.map { $0.map(\.text).joined(separator: "/") })
  }
}
