import Foundation
import Testing
import Trellis

/// Files and folders beside a store have its permissions, so that no copy is more readable than the store.
@Suite struct CompanionRightsTests {
  private enum Keeps {
    static let models: [any PersistentModel.Type] = [Keep.self, KeepScrew.self]

    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { Keeps.models }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    }

    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { Keeps.models }
      static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    }

    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] {
        [.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil) { _ in }]
      }
    }
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The permissions of all files in the folder, by name.
  private var modes: [String: mode_t] {
    var modes: [String: mode_t] = [:]
    for name in (try? FileManager.default.subpathsOfDirectory(atPath: scratch.folder.path)) ?? [] {
      var status = stat()
      if stat(scratch.folder.appending(path: name).path, &status) == 0 { modes[name] = status.st_mode }
    }
    return modes
  }

  private func check(_ file: mode_t, _ folder: mode_t, _ names: [String]) {
    let modes = modes
    for name in names {
      #expect(modes.keys.contains { $0.hasPrefix(name) }, "there is no '\(name)' among \(modes.keys.sorted())")
    }
    for (name, mode) in modes {
      let expected = mode & S_IFMT == S_IFDIR ? folder : file
      #expect(mode & 0o777 == expected, "\(name) has the mode \(String(mode & 0o777, radix: 8))")
    }
  }

  @Test(arguments: [(0o600, 0o700), (0o640, 0o750), (0o664, 0o775)])
  func companionFilesHaveTheStoresPermissions(file: Int, folder: Int) throws {
    let url = scratch.file("keeps.store")
    func open(_ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?) throws -> ModelContext {
      let schema = Schema(versionedSchema: version)
      return ModelContext(
        try ModelContainer(
          for: schema, migrationPlan: plan, configurations: ModelConfiguration(schema: schema, url: url)))
    }
    do {
      let context = try open(Keeps.V1.self, nil)
      context.insert(Keep(code: "a"))
      try context.save()
    }
    #expect(chmod(url.path, mode_t(file)) == 0)
    // Simulates a folder from before the store received its permissions.
    #expect(mkdir(url.path + "-external", 0o755) == 0 && chmod(url.path + "-external", 0o777) == 0)
    do {
      let context = try open(Keeps.V1.self, nil)
      let keep = try #require(KeepWorld.keeps(context).first)
      keep.data = Data(repeating: 7, count: 300_000)
      try context.save()
      check(mode_t(file), mode_t(folder), ["keeps.store-wal", "keeps.store-shm", "keeps.store-external/"])
    }
    let context = try open(Keeps.V2.self, Keeps.Plan.self)
    #expect(try KeepWorld.keeps(context).first?.data?.count == 300_000)
    check(
      mode_t(file), mode_t(folder),
      ["keeps.store-external/", "keeps.store.backup-1.0.0", "keeps.store.backup-1.0.0-external/"])
  }
}
