import AppleStore
import AppleStoreFiles
import Foundation
import SchemaImport
import StoreTransfer
import TestSupport

extension AppleTestStore {
  struct Imported {
    var schema: String
    var notes: [ImportNote]
    var store: URL
    var report: AppleStoreReport
    var copy: CopyReport

    /// Rows of the new store, as `a|b`.
    func rows(_ sql: String) throws -> [String] {
      try SQLiteShell(store).run(sql).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Imports the file into `imported.store`.
  func imported(
    models: AppleStoreImport.Models = .cache, rejects: RejectPolicy = .stop, module: String = "TransferTests"
  ) throws -> Imported {
    let read = try AppleStoreImport(url.path, models: models, name: "Voyages")
    let target = try read.target(module: module)
    let (plan, report) = try read.plan(for: target)
    let store = folder.appendingPathComponent("imported.store")
    try target.create(at: store)
    let copy = try CopyEngine(plan, into: target).run(at: store, rejects: rejects)
    return Imported(
      schema: read.result.files.map(\.text).joined(separator: "\n"), notes: read.result.notes, store: store,
      report: report, copy: copy)
  }
}
