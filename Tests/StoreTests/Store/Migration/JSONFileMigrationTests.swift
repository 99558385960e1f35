import Foundation
import NotesV1
import NotesV2
import Testing
import Trellis
import TrellisJSON

/// Tests of JSON files of older schema versions.
@Suite struct JSONFileMigrationTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func context(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)?, allowsSave: Bool = true
  ) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: plan,
        configurations: [JSONFileConfiguration(url: scratch.file(), allowsSave: allowsSave)]))
  }

  private enum First: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Notes.V1.self] }
    static var stages: [MigrationStage] { [] }
  }

  private struct Stop: Error {}

  private enum Failing: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Notes.V1.self, Notes.V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(fromVersion: Notes.V1.self, toVersion: Notes.V2.self, willMigrate: nil) { _ in throw Stop() }
      ]
    }
  }

  private var text: String { get throws { try String(contentsOf: scratch.file(), encoding: .utf8) } }

  private var backup: URL { URL(fileURLWithPath: scratch.file().path + ".backup-1.0.0") }

  @discardableResult
  private func fill() throws -> PersistentIdentifier {
    let context = try context(Notes.V1.self, First.self)
    let folder = NotesV1.Folder(name: "work")
    let note = NotesV1.Note(title: "Ålesund", size: .max)
    note.folder = folder
    let draft = NotesV1.Draft(title: "draft", size: -1, reason: "none yet")
    draft.folder = folder
    let tag = NotesV1.Tag(word: "red")
    tag.notes = [draft, note]
    let models: [any PersistentModel] = [folder, note, draft, tag, NotesV1.Note(title: "loose", size: 0)]
    for model in models { context.insert(model) }
    try context.save()
    return folder.persistentModelID
  }

  @Test func everythingIsCarriedOverOnce() throws {
    let folder = try fill()
    let before = try text
    #expect(before.contains(#""schemaVersion": "1.0.0""#))
    for round in 0..<2 {
      let context = try context(Notes.V3.self, Notes.Plan.self)
      let notes = try context.fetch(FetchDescriptor<NotesV2.Note>(sortBy: [SortDescriptor(\.headline)]))
      #expect(notes.map(\.headline) == ["draft", "Ålesund"] && notes.map(\.size) == [-1, Int(Int32.max)])
      #expect((notes.first as? NotesV2.Draft)?.reason == "none yet")
      let binder = try #require(notes.last?.binder)
      #expect(binder.name == "work" && number(binder.persistentModelID) == number(folder), "\(round)")
      let tags = try context.fetch(FetchDescriptor<NotesV2.Tag>(sortBy: [SortDescriptor(\.word)]))
      #expect(tags.map(\.word) == ["migrated", "red"])
      #expect(Set(tags[1].notes.map(\.headline)) == ["draft", "Ålesund"])
      // Identifiers with the former entity name are found.
      #expect((context.model(for: folder) as? NotesV2.Binder)?.name == "work")
      #expect(try text.contains(#""schemaVersion": "3.0.0""#))
    }
    #expect(try String(contentsOf: backup, encoding: .utf8) == before)
    #expect(!FileManager.default.fileExists(atPath: backup.path + "-2"))
    // Keys of deleted models are not reused.
    let context = try context(Notes.V3.self, Notes.Plan.self)
    let note = NotesV2.Note(headline: "new", size: 1)
    let binder = NotesV2.Binder(name: "second")
    context.insert(note)
    context.insert(binder)
    try context.save()
    #expect(number(note.persistentModelID) > 3 && number(binder.persistentModelID) > 1)
  }

  private func number(_ identifier: PersistentIdentifier) -> Int {
    "\(identifier)".split(separator: "/").last.flatMap { Int($0) } ?? 0
  }

  @Test func aMigrationThatFailsLeavesTheFile() throws {
    try fill()
    let before = try text
    #expect(throws: Stop.self) { try context(Notes.V2.self, Failing.self) }
    #expect(try text == before && !FileManager.default.fileExists(atPath: backup.path))
    #expect(try context(Notes.V1.self, First.self).fetchCount(FetchDescriptor<NotesV1.Note>()) == 3)
  }

  @Test func whatIsNewerOrUnknownIsRefused() throws {
    try fill()
    let older = try text
    for (version, error) in [("9.0.0", SwiftDataError.backwardMigration), ("1.5.0", .unknownDataStoreSchema)] {
      let other = older.replacing("\"schemaVersion\": \"1.0.0\"", with: "\"schemaVersion\": \"\(version)\"")
      try Data(other.utf8).write(to: scratch.file())
      #expect(throws: error) { try context(Notes.V3.self, Notes.Plan.self) }
      #expect(try text == other)
    }
  }

  @Test func whoOnlyReadsSeesTheNewModelsAndWritesNothing() throws {
    try fill()
    let before = try text
    let context = try context(Notes.V3.self, Notes.Plan.self, allowsSave: false)
    #expect(try context.fetchCount(FetchDescriptor<NotesV2.Note>()) == 2)
    #expect(try text == before && !FileManager.default.fileExists(atPath: backup.path))
  }

  /// Two containers with one file must use models of one version.
  @Test func aSecondContainerOfTheOldVersionIsRefused() throws {
    try fill()
    let old = try context(Notes.V1.self, First.self)
    let before = try text
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try context(Notes.V3.self, Notes.Plan.self)
    }
    #expect(error?.storeProblem == .locked)
    #expect(try text == before)
    old.insert(NotesV1.Log(text: "still written"))
    try old.save()
    #expect(try text.contains("still written"))
  }

  private enum Separate: SchemaMigrationPlan {
    enum Old: VersionedSchema {
      static var models: [any PersistentModel.Type] { Notes.V1.models + [NotesV1.Gauge.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    }

    enum New: VersionedSchema {
      static var models: [any PersistentModel.Type] { Notes.V2.models + [NotesV2.Gauge.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    }

    static var schemas: [any VersionedSchema.Type] { [Old.self, New.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Old.self, toVersion: New.self,
          [
            .fill(NotesV1.Gauge.Snapshot.self, NotesV2.Gauge.Snapshot.self, ["real", "whole", "exact"]) { old, new in
              new.real = Float(old.real)
              new.whole = Double(old.whole)
              new.exact = 1
            }
          ])
      ]
    }
  }

  /// Each file contains a part of the models, and a step concerns models of one file.
  @Test func severalFilesOfOneSchema() throws {
    func context(
      _ version: any VersionedSchema.Type, _ first: [any PersistentModel.Type], _ second: any PersistentModel.Type
    ) throws -> ModelContext {
      let (notes, gauges) = (scratch.file("notes.json"), scratch.file("gauges.json"))
      return ModelContext(
        try ModelContainer(
          for: Schema(versionedSchema: version), migrationPlan: Separate.self,
          configurations: [
            JSONFileConfiguration(schema: Schema(first), url: notes),
            JSONFileConfiguration(schema: Schema([second]), url: gauges),
          ]))
    }
    func old() throws {
      let context = try context(Separate.Old.self, Notes.V1.models, NotesV1.Gauge.self)
      context.insert(NotesV1.Note(title: "one", size: 1))
      context.insert(NotesV1.Gauge(real: 0.5, whole: 3))
      try context.save()
    }
    try old()
    for _ in 0..<2 {
      let context = try context(Separate.New.self, Notes.V2.models, NotesV2.Gauge.self)
      #expect(try context.fetch(FetchDescriptor<NotesV2.Note>()).map(\.headline) == ["one"])
      let gauges = try context.fetch(FetchDescriptor<NotesV2.Gauge>())
      #expect(gauges.map(\.real) == [0.5] && gauges.map(\.whole) == [3] && gauges.map(\.exact) == [1])
    }
    for name in ["notes.json", "gauges.json"] {
      let text = try String(contentsOf: scratch.file(name), encoding: .utf8)
      #expect(text.contains(#""schemaVersion": "2.0.0""#))
    }
  }

  @Test func withoutAPlanNothingIsNoted() throws {
    let context = try context(Notes.V1.self, nil)
    context.insert(NotesV1.Folder(name: "f"))
    try context.save()
    #expect(try !text.contains("schemaVersion"))
  }
}
