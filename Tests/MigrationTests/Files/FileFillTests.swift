import Foundation
import Testing
import Trellis

/// Values in external files that a migration moves into rows: `Files.schema` and its released version.
@Suite struct FileFillTests {
  private typealias Old = FilesSchema.V1_0_0

  private static let large = 200_000

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    func bytes(_ byte: UInt8, more: Int = 0) -> Data { Data(repeating: byte, count: Self.large + more) }
    try fixture.open(Old.self).add([
      Old.Folder(name: "a", cover: bytes(1), scan: bytes(2, more: 1), kept: bytes(3, more: 2)),
      Old.Folder(name: "bc", cover: Data([7]), scan: nil, kept: nil),
      Old.Binder(name: "d", cover: bytes(4, more: 3), scan: nil, kept: nil, register: bytes(5, more: 4)),
    ])
    let context = try fixture.open(Old.self)
    for binder in try context.all(Old.Binder.self) { #expect(binder.register?.count == Self.large + 4) }
  }

  private var external: URL { URL(fileURLWithPath: fixture.url.path + "-external") }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: external.path).filter { $0 != "pending" }.sorted()
  }

  /// Removes the file that is longer than the others by this number of bytes.
  private func removeFile(more: Int) throws -> String {
    let name = try #require(try files().first { $0.hasSuffix("-\(Self.large + more)") })
    try FileManager.default.removeItem(at: external.appendingPathComponent(name))
    return name
  }

  private func migrate() throws -> [Folder] {
    try fixture.open(FilesSchema.V2_0_0.self, FilesMigrationPlan.self)
      .fetch(FetchDescriptor<Folder>(sortBy: [SortDescriptor(\.name)]))
  }

  @Test func fillsReadExternalValues() throws {
    let folders = try migrate()
    #expect(folders.map(\.cover.count) == [Self.large, 1, Self.large + 3])
    #expect(folders.map(\.cover.first) == [1, 7, 4])
    #expect(folders.map(\.size) == [Self.large + 2, 2, 1])
    let binder = try #require(folders[2] as? Binder)
    #expect(binder.register == Data(repeating: 5, count: Self.large + 4))
    #expect(binder.head == Data([5, 5]))
    #expect(folders[0].kept == Data(repeating: 3, count: Self.large + 2))
    #expect(try fixture.complaints() == "")
  }

  /// The error names the row, the file and the solution, and the store stays unchanged.
  @Test(arguments: [(0, "Folder/1"), (1, "Folder/1"), (3, "Binder/3"), (4, "Binder/3")])
  func anUnreadableFileEndsTheMigration(more: Int, row: String) throws {
    let name = try removeFile(more: more)
    let before = try fixture.shell("SELECT * FROM Folder; SELECT * FROM trellis_metadata")
    let left = try files()
    let error = #expect(throws: SwiftDataError.self) { try migrate() }
    #expect(error?.storeProblem == .migrationFailed)
    let text = error?.explanation ?? ""
    #expect(
      text.contains(name) && text.contains("is missing") && text.contains(row) && text.contains("try?"), "\(text)")
    #expect(try fixture.shell("SELECT * FROM Folder; SELECT * FROM trellis_metadata") == before)
    #expect(try files() == left && fixture.backups.isEmpty)
    #expect(try fixture.open(Old.self).all(Old.Folder.self).count == 3)
  }

  /// No fill reads the value.
  @Test func unusedFilesAreNotRead() throws {
    _ = try removeFile(more: 2)
    #expect(try migrate().map(\.name) == ["a", "bc", "d"])
  }

  enum ByHand: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [FilesSchema.V1_0_0.self, FilesSchema.V2_0_0.self] }
    @TaskLocal static var step: @Sendable (MigrationRows) throws -> Void = { _ in }

    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: FilesSchema.V1_0_0.self, toVersion: FilesSchema.V2_0_0.self,
          [
            .fill(FilesSchema.V1_0_0.Folder.Snapshot.self, Folder.Snapshot.self, ["size", "cover"]) { old, new in
              new.size = old.name.count
              new.cover = (try? old.cover) ?? Data([9])
            },
            .custom("step", step),
          ])
      ]
    }
  }

  private func migrate(_ step: @escaping @Sendable (MigrationRows) throws -> Void) throws -> [Folder] {
    try ByHand.$step.withValue(step) {
      try fixture.open(FilesSchema.V2_0_0.self, ByHand.self)
        .fetch(FetchDescriptor<Folder>(sortBy: [SortDescriptor(\.name)]))
    }
  }

  /// Snapshots in a custom step also throw. A step can handle the error and continue.
  @Test func customStepsReceiveErrorsAboutUnreadableFiles() throws {
    let name = try removeFile(more: 1)
    let error = #expect(throws: SwiftDataError.self) {
      try migrate { rows in try rows.forEach(Old.Folder.Snapshot.self) { for row in $0 { _ = try row.scan } } }
    }
    #expect(error?.storeProblem == .migrationFailed)
    #expect(error?.explanation?.contains(name) == true, "\(error?.explanation ?? "")")
    #expect(try fixture.open(Old.self).all(Old.Folder.self).count == 3)
    let folders = try migrate { rows in
      try rows.forEach(Old.Folder.Snapshot.self) { for row in $0 { _ = try? row.scan } }
    }
    #expect(folders.map(\.size) == [1, 2, 1])
  }

  /// A model of the old version cannot throw and reads as nil, which must not be migrated.
  @Test func unreadableExternalValuesEndTheMigration() throws {
    let name = try removeFile(more: 1)
    let error = #expect(throws: SwiftDataError.self) {
      try migrate { rows in for folder in try rows.old.fetch(FetchDescriptor<Old.Folder>()) { _ = folder.scan } }
    }
    #expect(error?.storeProblem == .migrationFailed)
    #expect(error?.explanation?.contains(name) == true, "\(error?.explanation ?? "")")
    #expect(try fixture.open(Old.self).all(Old.Folder.self).count == 3)
  }

  @Test func fillsCanProvideAValueForAMissingFile() throws {
    _ = try removeFile(more: 0)
    #expect(try migrate { _ in }.map(\.cover.first) == [9, 7, 4])
  }
}
