import Foundation
import StoreConformance
import Testing
import Trellis

@Suite struct StoreConformanceTests {
  @Test func defaultStoreInMemory() {
    let results = StoreConformance(keepsData: false) {
      ModelConfiguration(isStoredInMemoryOnly: true)
    }.run()
    #expect(results.count >= 14)
    for result in results { #expect(result.failure == nil, "\(result)") }
  }

  @Test func defaultStoreInAFile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let results = StoreConformance {
      ModelConfiguration(url: folder.appending(path: "\(UUID()).store"))
    }.run()
    #expect(results.count >= 16)
    for result in results { #expect(result.failure == nil, "\(result)") }
  }

  @Test func aJSONFile() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let results = StoreConformance {
      JSONFileConfiguration(url: folder.appending(path: "\(UUID()).json"))
    }.run()
    #expect(results.count >= 16)
    for result in results { #expect(result.failure == nil, "\(result)") }
  }

  /// A store that only keeps snapshots: the contexts do everything else.
  @Test func aStoreThatOnlyKeepsSnapshots() {
    let results = StoreConformance { DrawerConfiguration() }.run()
    for result in results { #expect(result.failure == nil, "\(result)") }
  }

  @Test func aForgetfulStoreIsToldSo() {
    let results = StoreConformance(keepsData: false) { DrawerConfiguration(isForgetful: true) }.run()
    #expect(results.contains { $0.failure?.contains("the titles is [\"Draft\"]") == true })
  }
}
