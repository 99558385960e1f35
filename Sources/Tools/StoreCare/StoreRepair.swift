import Foundation
package import SchemaModel
import Trellis

/// The result of a repair.
package struct RepairReport: Encodable, Sendable {
  package let store: String
  package var copy: String
  /// The completed repairs, in order.
  package var repairs: [String] = []
  /// The failed repairs.
  package var failures: [String] = []
  /// The remaining problems in the copy.
  package var remaining: [Finding] = []

  package var text: String {
    let lines =
      repairs.map { "  repaired: \($0)\n" } + failures.map { "  failed: \($0)\n" }
      + remaining.map { "  remains: \($0.text)\n" }
    let count = remaining.count
    let summary = count == 0 ? "no problems remain" : "\(count) problem\(count == 1 ? " remains" : "s remain")"
    return "\(copy): a repaired copy of \(store); \(summary)\n\(lines.joined())"
  }
}

/// Repairs a copy by restoring information that follows from the remaining data. Rows are never changed.
package struct StoreRepair {
  private let store: ExaminedStore
  private var report: RepairReport
  private var connection: Connection { store.connection }

  /// - Parameters:
  ///   - path: The store, which is only read.
  ///   - copy: The path for the copy, which must not exist.
  ///   - schemas: As for ``StoreChecker/check(_:schemas:_:)``.
  package static func run(
    _ path: String, to copy: String, schemas: [ResolvedSchema] = [], _ progress: (String) -> Void = { _ in }
  ) throws -> RepairReport {
    let found = try StoreChecker.check(path, schemas: schemas, progress)
    progress("copying")
    let copied = try StoreCopier.copy(path, to: copy)
    var report = RepairReport(store: path, copy: copied.target)
    for finding in found.findings where finding.kind == .orphanedFile {
      report.repairs.append(
        "left out \(counted(finding.count, "file")) that no row uses: \(finding.examples.joined(separator: ", "))")
    }
    progress("repairing")
    do {
      var repair = StoreRepair(store: try ExaminedStore(copy, .existing), report: report)
      try repair.run(found.findings)
      report = repair.report
    } catch let error as SQLiteError {
      report.failures.append(CareFailure(error, copy).reason(copy))
    }
    report.remaining = try StoreChecker.check(copy, schemas: schemas, progress).findings
    return report
  }

  private mutating func run(_ findings: [Finding]) throws {
    try addIndexes()
    if findings.contains(where: { $0.kind == .damagedPages && $0.isRepairable }) { try rebuildIndexes() }
    if findings.contains(where: { $0.kind == .missingTrigger }) {
      try connection.write {
        try ExternalFiles(storePath: store.path, columns: store.catalogue.externalColumns).prepare(connection)
      }
      report.repairs.append("the triggers that record unused files were created again")
    }
    try connection.write {
      for finding in findings {
        switch finding.kind {
        case .usedKey: try reserveKeys(finding)
        case .missingMark:
          for key in finding.examples {
            try StoreMetadata.write(.integer(1), for: key, connection)
            report.repairs.append("the mark '\(key)' was added")
          }
        default: break
        }
      }
      try describe(findings)
    }
  }

  /// Creates missing indexes.
  private mutating func addIndexes() throws {
    for table in store.catalogue.tables {
      let known = try connection.indexes(of: table.name).map(\.index)
      for index in table.indexes where !known.contains(where: { $0.isSame(as: index) }) {
        do {
          try connection.execute(index.creation(on: table.name))
          report.repairs.append("the index '\(index.name)' was created")
        } catch let error as SQLiteError {
          report.failures.append("the index '\(index.name)' cannot be created: \(error.message)")
        }
      }
    }
  }

  private mutating func rebuildIndexes() throws {
    var rebuilt = 0
    for name in try store.ownIndexes().sorted() {
      do {
        try connection.execute("REINDEX \(name: name)")
        rebuilt += 1
      } catch let error as SQLiteError {
        report.failures.append("the index '\(name)' cannot be rebuilt: \(error.message)")
      }
    }
    report.repairs.append("\(rebuilt == 1 ? "1 index was" : "\(rebuilt) indexes were") rebuilt from their tables")
  }

  private mutating func reserveKeys(_ finding: Finding) throws {
    guard let entity = finding.entity.flatMap({ store.catalogue.layout.entity(named: $0) }) else { return }
    let last = try connection.integers("SELECT max(\(name: entity.keyColumn)) FROM \(name: entity.table)").first ?? 0
    guard last < .max else {
      report.failures.append("'\(entity.name)' has the highest possible row number, after which there is no other")
      return
    }
    try StoreMetadata.write(.integer(last + 1), for: StoreMetadata.Key.nextPrefix + entity.table, connection)
    report.repairs.append("the next row number of '\(entity.name)' is \(last + 1)")
  }

  private mutating func describe(_ findings: [Finding]) throws {
    if findings.contains(where: { $0.kind == .outdatedDescription }) {
      let expected = try StoreMetadata.description(of: store.catalogue, version: store.metadata.version)
      for (key, value) in expected where [StoreMetadata.Key.tables, StoreMetadata.Key.columns].contains(key) {
        try StoreMetadata.write(.text(value), for: key, connection)
      }
      report.repairs.append("the description of the tables was written again")
    }
    // Records that the table definitions were checked, so that the app need not check them again.
    try StoreMetadata.write(.integer(connection.definitions()), for: StoreMetadata.Key.definitions, connection)
  }
}
