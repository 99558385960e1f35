import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaModel
import SchemaVersions
import TestSupport
import Testing

/// A schema of this repository with its released versions and files.
struct EveryHistory: CustomTestStringConvertible, Sendable {
  let folder: String
  let history: SchemaHistory
  let files: [SourceFile]

  var testDescription: String { "\(folder)/\(history.head.name)" }

  /// All schemas below `Schemas`, `Sources`, `Tests` and `Benchmarks` that consist of schema files.
  static let all: [EveryHistory] = ["Schemas", "Sources", "Tests", "Benchmarks"].flatMap { (try? below($0)) ?? [] }

  /// All schemas, or in a short run those in `Schemas` and some others.
  static let sample = all.enumerated().filter { index, schema in
    Repetitions.isThorough || index % 4 == 0
      || schema.folder.hasPrefix("Schemas/") && !schema.folder.hasSuffix("Landmine")
      || schema.folder.hasPrefix("Tests/TransferTests")
  }.map(\.element)

  /// The schema whose exports are checked in.
  static func golden() throws -> EveryHistory {
    try #require(all.first { $0.history.head.name == "Harbor" && $0.folder.hasPrefix("Tests/TransferTests") })
  }

  private static func below(_ top: String) throws -> [EveryHistory] {
    let root = Repository.root.appending(path: top).path(percentEncoded: false)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root)
      .filter { $0.hasSuffix(".schema") && !"/\($0)".contains("/.") }.sorted()
    let released = paths.filter { $0.contains("versions/") }
    let heads = Dictionary(grouping: paths.filter { !$0.contains("versions/") }) { path in
      path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
    return heads.sorted { $0.key < $1.key }.flatMap { folder, heads -> [EveryHistory] in
      let versions = (folder.isEmpty ? "" : folder + "/") + "versions/"
      let project = try? SchemaProject(
        heads: heads.map { root + "/" + $0 },
        inputs: released.filter { $0.hasPrefix(versions) }.map { root + "/" + $0 }, isTarget: false)
      return (project?.histories ?? []).map {
        EveryHistory(folder: "\(top)/\(folder)", history: $0, files: project?.files ?? [])
      }
    }
  }
}

@Suite struct EveryHistoryTests {
  @Test func schemasAreFound() throws {
    #expect(EveryHistory.all.count >= 100)
    #expect(EveryHistory.all.count { !$0.history.frozen.isEmpty } >= 25)
    #expect(try EveryHistory.golden().history.versions.count == 2)
  }
}
