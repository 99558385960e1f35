import AppleStoreFiles
import Foundation
import SchemaCommands
import SchemaDriver
import StoreCommands
import TestSupport
import Testing

/// `trellis-store import --from store`.
@Suite struct ImportStoreCommandTests {
  private func run(_ store: AppleTestStore, _ words: String...) -> CommandLineTool.Outcome {
    CommandLineTool.run(["import", "--from", "store"] + words, in: store.folder.path, with: [ImportData.self])
  }

  @Test func aStoreIsImported() throws {
    let store = try VoyageStore.store()
    let outcome = run(store, "Voyages.store", "--into", "New.store", "--output", store.folder.path)
    #expect(outcome.status == .clean, "\(outcome.progress)")
    #expect(outcome.progress.contains("AppleVoyage: 2 rows in ZAPPLEVOYAGE, 16 of 16 properties\n"))
    #expect(outcome.progress.contains("ZAPPLEVOYAGE -> AppleVoyage: 2 rows, checksums equal\n"))
    #expect(outcome.progress.contains("wrote 7 models to Voyages.schema\n"))
    let schema = try String(contentsOf: store.folder.appendingPathComponent("Voyages.schema"), encoding: .utf8)
    #expect(schema == (try Repository.text("Tests/TransferTests/Apple/Voyages.schema")))
    let new = SQLiteShell(store.folder.appendingPathComponent("New.store"))
    #expect(try new.run("SELECT count(*) FROM AppleVoyage") == "2")
    // Nothing is replaced without '--force'.
    #expect(run(store, "Voyages.store", "--into", "New.store").status == .usage)
    #expect(run(store, "Voyages.store", "--into", "New.store", "--force").status == .clean)
  }

  @Test func aDryRunWritesNothing() throws {
    let store = try VoyageStore.store()
    let before = try store.contents()
    let outcome = run(store, "Voyages.store", "--dry-run", "--into", "New.store")
    #expect(outcome.status == .clean, "\(outcome.progress)")
    #expect(outcome.findings.contains("class AppleBoat: AppleVehicle {"))
    #expect(outcome.progress.contains("would write 7 models to Voyages.schema\n"))
    #expect(outcome.progress.contains("AppleSailor: 4 rows in ZAPPLESAILOR, 2 of 2 properties\n"))
    #expect(try store.contents() == before)
  }

  @Test func rowsThatDoNotFitStopTheImport() throws {
    let store = try VoyageStore.store(more: "UPDATE ZAPPLEVEHICLE SET ZNAME = NULL WHERE Z_PK = 3")
    let outcome = run(store, "Voyages.store", "--into", "New.store")
    #expect(outcome.status == .findings)
    #expect(outcome.findings.contains("ZAPPLEVEHICLE (AppleCar) row 3, ZNAME: "), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: store.folder.appendingPathComponent("New.store").path))
    let rejecting = run(store, "Voyages.store", "--into", "New.store", "--rejects", "rejects.ndjson")
    #expect(rejecting.status == .findings)
    let rejects = try String(contentsOf: store.folder.appendingPathComponent("rejects.ndjson"), encoding: .utf8)
    #expect(rejects.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    (["missing.store"], "error: missing.store: no such file\n"),
    ([], "error: 'trellis import --from store' needs one store file\n"),
    (["Voyages.store", "--models", "Nowhere.swift"], "Nowhere.swift:1:1: error: no such file\n"),
  ])
  func mistakesHaveAWayOut(_ words: [String], _ message: String) throws {
    let store = try VoyageStore.store()
    let outcome = CommandLineTool.run(
      ["import", "--from", "store"] + words, in: store.folder.path, with: [ImportData.self])
    #expect(outcome.status == .usage)
    #expect(outcome.progress.hasSuffix(message), "\(outcome.progress)")
  }
}
