import Foundation
import JSONStore
import StoreConformance
import Synchronization
import TestSupport
import Testing
import Trellis

/// Runs all checks with all stores. A short run takes samples, and all checks of the default store in memory.
@Suite struct StoreConformanceTests {
  /// The folder of this process. Checks run concurrently with separate files.
  private static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID())")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  private static func newFile(_ kind: String) -> URL { folder.appending(path: "\(UUID()).\(kind)") }

  private static func remove(_ file: URL) {
    for ending in ["", "-wal", "-shm", ".lock"] {
      try? FileManager.default.removeItem(atPath: file.path + ending)
    }
  }

  @Test(arguments: ConformanceCheck.all)
  func defaultStoreInMemory(check: ConformanceCheck) async throws {
    try await StoreConformance(keepsData: false) {
      ModelConfiguration(isStoredInMemoryOnly: true)
    }.verify(check)
  }

  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 3, "checks of a file"))
  func defaultStoreInAFile(check: ConformanceCheck) async throws {
    let file = Self.newFile("store")
    defer { Self.remove(file) }
    try await StoreConformance { ModelConfiguration(url: file) }.verify(check)
  }

  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 3, "checks of a JSON file"))
  func jsonFileStore(check: ConformanceCheck) async throws {
    let file = Self.newFile("json")
    defer { Self.remove(file) }
    // A folder with the name of the new file makes writing fail.
    try await StoreConformance(
      breakSaves: { configuration, isBroken in
        let obstacle = configuration.url.path + ".new"
        if isBroken {
          try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        } else {
          try FileManager.default.removeItem(atPath: obstacle)
        }
      }
    ) { JSONFileConfiguration(url: file) }.verify(check)
  }

  /// A store written for SwiftData, unchanged. Its dates are ISO 8601 with a resolution of one second, and its format
  /// has no infinities.
  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 2, "checks of a store for SwiftData"))
  func storeWrittenForSwiftData(check: ConformanceCheck) async throws {
    let file = Self.newFile("sample.json")
    defer { Self.remove(file) }
    try await StoreConformance(declining: [.fractionsOfSeconds, .nonFiniteNumbers]) {
      JSONStoreConfiguration(name: file.lastPathComponent, fileURL: file)
    }.verify(check)
  }

  /// A store that only keeps snapshots. Contexts perform all other operations.
  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 2, "checks of snapshots"))
  func snapshotStore(check: ConformanceCheck) async throws {
    try await StoreConformance(breakSaves: { $0.drawer.isStuck = $1 }) { DrawerConfiguration() }
      .verify(check)
  }

  /// A store with a custom history.
  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 2, "checks of a custom history"))
  func storeWithAHistory(check: ConformanceCheck) async throws {
    try await StoreConformance(breakSaves: { $0.book.isClosed = $1 }) { ChronicleConfiguration() }
      .verify(check)
  }

  @Test(
    arguments: zip(
      ChronicleConfiguration.Fault.allCases,
      [
        ("records a save as a single transaction", "authors"),
        ("records exactly the changed attributes", "an update with its class"),
        ("keeps preserved values for deleted models", "which is preserved"),
        ("deletes history and reports expired tokens", "historyTokenExpired"),
        ("records nothing for a failed save", "after a failed save"),
      ]))
  func everyFaultOfAHistoryIsDetected(
    fault: ChronicleConfiguration.Fault, found: (check: String, says: String)
  ) throws {
    let suite = StoreConformance(breakSaves: { $0.book.isClosed = $1 }) { ChronicleConfiguration(fault) }
    let check = try #require(ConformanceCheck.all.first { $0.name == found.check })
    let result = suite.result(of: check)
    #expect(result.failure?.description.contains(found.says) == true, "\(result)")
  }

  /// A store that forwards all calls to another store.
  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 6, "checks of a store around another"))
  func storeWrappingTheDefaultStore(check: ConformanceCheck) async throws {
    let file = Self.newFile("logged")
    defer { Self.remove(file) }
    try await StoreConformance { LoggingConfiguration(base: ModelConfiguration(url: file)) }
      .verify(check)
  }

  // Runs all checks once, because the test counts them.
  @Test func resultsListSkippedChecks() {
    let results = StoreConformance(keepsData: false, declining: [.concurrency]) {
      ModelConfiguration(isStoredInMemoryOnly: true)
    }.run()
    #expect(results.count == ConformanceCheck.all.count)
    #expect(results.allSatisfy { $0.failure == nil })
    let skipped = results.filter { $0.skipped != nil }
    #expect(skipped.contains { "\($0)".hasSuffix("not run, the store does not keep data") })
    #expect(skipped.contains { "\($0)".hasSuffix("not run, the store declines 'concurrency'") })
    #expect(skipped.contains { "\($0)".hasSuffix("not run, 'breakSaves' is missing") })
    #expect(results.contains { "\($0)" == "✔ is empty when new" })
  }

  @Test func checkNamesAreUnique() {
    #expect(Set(ConformanceCheck.all.map(\.name)).count == ConformanceCheck.all.count)
  }

  /// The section of a check must be a heading of the article.
  @Test(arguments: ConformanceContract.allCases)
  func theArticleContainsTheContract(contract: ConformanceContract) throws {
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/CustomStores.md")
    #expect(article.contains("\n### \(contract.rawValue)\n"))
    #expect(ConformanceCheck.all.contains { $0.contract == contract })
  }

  /// The example of the article must equal a file that is compiled and run here.
  @Test func theArticlesExampleIsRun() throws {
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/CustomStores.md")
    let store = try Repository.text("Tests/StoreTests/Conformance/LoggingStore.swift")
    #expect(article.contains("```swift\n\(store)```"))
    let lines = try Repository.text("Tests/StoreTests/Conformance/TenLines.swift")
    #expect(article.contains("```swift\n\(lines)```"))
    #expect(lines.split(separator: "\n").count <= 10)
  }

  /// The parts of the JSON store in the article must match its sources, and the migration must match a tested one.
  @Test(arguments: ["One JSON file", "Record a history", "Migrations"])
  func theArticleContainsTheExample(title: String) throws {
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/CustomStores.md")
    let sources =
      try Repository.text("Sources/Sample/JSONStore/JSONFileStore.swift")
      + Repository.text("Sources/Sample/JSONStore/JSONHistory.swift")
      + Repository.text("Tests/StoreTests/Store/JSONFileStoreTests.swift")
    let section = try #require(
      article.components(separatedBy: "## \(title)\n").last?.components(separatedBy: "\n## ").first)
    let blocks = section.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for block in blocks { #expect(sources.contains(block)) }
  }
}

/// The article's name for the configuration. The article's lines run all checks, so this is a fast store.
typealias MyConfiguration = DrawerConfiguration

extension DrawerConfiguration {
  // `TenLines.swift` contains the lines from the article, whose readers import their own store instead.
  init(url: URL) { self.init() }
}
