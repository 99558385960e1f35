import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore

@Suite struct ModelConfigurationTests {
  @Test func S048_configurationsAreIdentifiedByURL() {
    let url = URL(fileURLWithPath: "/tmp/x.store")
    #expect(ModelConfiguration(url: url).id == url)
    #expect(ModelConfiguration().id == ModelConfiguration().url)
  }

  @Test func argumentsAreKept() {
    let plain = ModelConfiguration()
    #expect(plain.name == "default" && plain.allowsSave && !plain.isStoredInMemoryOnly)
    #expect(plain.schema == nil && plain.durability == .standard)
    #expect(plain.url.lastPathComponent == "default.store")
    let memory = ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false)
    #expect(memory.isStoredInMemoryOnly && !memory.allowsSave)
    #expect(ModelConfiguration(isStoredInMemoryOnly: true).isStoredInMemoryOnly)
    let typed = ModelConfiguration(for: Song.self, isStoredInMemoryOnly: true)
    #expect(typed.schema == Schema(Song.self))
    let cloud = ModelConfiguration(
      "a", schema: nil, groupContainer: .identifier("g"), cloudKitDatabase: .private("c"))
    #expect(cloud.groupAppContainerIdentifier == "g" && cloud.cloudKitContainerIdentifier == "c")
    #expect(cloud.groupContainer != .automatic && cloud.cloudKitDatabase != .none)
    var full = plain
    full.durability = .full
    #expect(full != plain && Set([full, plain, ModelConfiguration()]).count == 2)
  }

  @Test func S046_invalidFileNamesAreRejected() throws {
    for name in ["a/b", "", ".", "..", "a\u{0}b", "line\nbreak"] {
      #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
        try ModelConfiguration(name).validate()
      }
    }
    let long = String(repeating: "n", count: 250)
    #expect(throws: SwiftDataError.configurationFileNameTooLong) {
      try ModelConfiguration(long).validate()
    }
    // With a URL or without a file, the name is not a file name.
    try ModelConfiguration("a/b", url: URL(fileURLWithPath: "/tmp/x.store")).validate()
    try ModelConfiguration("a/b", isStoredInMemoryOnly: true).validate()
    try ModelConfiguration("Čeština 🌍").validate()
  }

  @Test func groupIdentifiersWithInvalidFolderNamesAreRejected() throws {
    for group in ["", ".", "..", "a/b", "../x", "/etc", "a\u{0}b", "line\nbreak"] {
      let configuration = ModelConfiguration(groupContainer: .identifier(group))
      #expect(!configuration.url.path.contains("..") && !configuration.url.path.hasPrefix("/etc"))
      #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters, "\(group)") {
        try configuration.validate()
      }
      #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
        try configuration.storePath()
      }
    }
    #expect(throws: SwiftDataError.configurationFileNameTooLong) {
      try ModelConfiguration(groupContainer: .identifier(String(repeating: "g", count: 256))).validate()
    }
    try ModelConfiguration(groupContainer: .identifier("group.com.example.trips")).validate()
    // With a URL or without a file, the group has no effect.
    try ModelConfiguration(isStoredInMemoryOnly: true, groupContainer: .identifier("..")).validate()
  }

  @Test func groupsAreLocatedInTheDataFolder() {
    #if !canImport(Darwin)
      func path(_ group: ModelConfiguration.GroupContainer) -> String? {
        StoreLocation(environment: ["XDG_DATA_HOME": "/data"], home: nil, program: "app")
          .url(named: "trips", in: group)?.path
      }
      #expect(path(.identifier("group.x")) == "/data/group-containers/group.x/trips.store")
      #expect(path(.automatic) == "/data/app/trips.store")
      #expect(path(.none) == "/data/app/trips.store")
    #endif
  }

  @Test func theDefaultLocationFollowsTheEnvironment() {
    #if !canImport(Darwin)
      func path(_ environment: [String: String], home: String?) -> String? {
        StoreLocation(environment: environment, home: home, program: "app")
          .url(named: "default")?.path
      }
      #expect(path([:], home: "/home/ann") == "/home/ann/.local/share/app/default.store")
      #expect(path(["XDG_DATA_HOME": "/data"], home: nil) == "/data/app/default.store")
      #expect(path(["XDG_DATA_HOME": "data"], home: nil) == nil)
      #expect(path([:], home: "") == nil)
    #endif
  }
}
