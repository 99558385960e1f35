import Foundation
import NotesV1
import NotesV2
import Testing
import Trellis

/// A store of one's own runs the migration plan it was opened with.
@Suite struct SnapshotMigrationTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func context(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: plan,
        configurations: [NotesConfiguration(url: scratch.file())]))
  }

  private func fill(_ context: ModelContext) throws -> [PersistentIdentifier] {
    let folder = NotesV1.Folder(name: "work")
    let note = NotesV1.Note(title: "Ålesund", size: .max)
    note.mood = .wild
    note.obsolete = "gone"
    note.folder = folder
    let draft = NotesV1.Draft(title: "draft", size: -1, reason: "none yet")
    draft.folder = folder
    let loose = NotesV1.Note(title: "loose", size: 0)
    let tag = NotesV1.Tag(word: "red")
    tag.notes = [draft, note, loose]
    let log = NotesV1.Log(text: "written")
    log.note = note
    let models: [any PersistentModel] = [folder, note, draft, tag, loose, log]
    for model in models { context.insert(model) }
    try context.save()
    return models.prefix(4).map { $0.persistentModelID }
  }

  @Test func everythingIsCarriedOver() throws {
    let before = try fill(context(Notes.V1.self))
    for round in 0..<2 {
      let context = try context(Notes.V3.self, Notes.Plan.self)
      let notes = try context.fetch(FetchDescriptor<NotesV2.Note>(sortBy: [SortDescriptor(\.headline)]))
      // The one without a folder was deleted by the stage's own code.
      #expect(notes.map(\.headline) == ["draft", "Ålesund"])
      #expect(notes.map(\.size) == [-1, Int(Int32.max)] && notes.map(\.mood) == [.calm, .wild])
      #expect(notes.map(\.stars) == [3, 3] && notes.map(\.summary) == [nil, nil])
      #expect((notes[0] as? NotesV2.Draft)?.reason == "none yet")
      let binder = try #require(notes[0].binder)
      #expect(binder.name == "work" && notes[1].binder === binder)
      #expect(Set(binder.notes.map(\.headline)) == ["draft", "Ålesund"])
      let tags = try context.fetch(FetchDescriptor<NotesV2.Tag>(sortBy: [SortDescriptor(\.word)]))
      #expect(tags.map(\.word) == ["migrated", "red"])
      #expect(tags[1].notes.map(\.headline) == ["draft", "Ålesund"])
      #expect(notes.map { Set($0.tags.map(\.word)) } == [["migrated", "red"], ["migrated", "red"]])
      // Models keep their keys; the entity has another name.
      let models: [any PersistentModel] = [binder, notes[1], notes[0], tags[1]]
      let keys = models.map { "\($0.persistentModelID)".split(separator: "/").last }
      #expect(keys == before.map { "\($0)".split(separator: "/").last }, "\(round)")
      #expect(binder.persistentModelID.entityName == "Binder")
    }
  }

  @Test func thereIsAWayOrAnError() throws {
    func way(
      _ plan: any SchemaMigrationPlan.Type, _ version: Schema.Version
    ) throws -> Int? {
      try SnapshotMigration(plan, from: version, storeIdentifier: "x")?.stages.count
    }
    #expect(try way(Notes.Plan.self, .init(1, 0, 0)) == 2)
    #expect(try way(Notes.Plan.self, .init(2, 0, 0)) == 1)
    #expect(try way(Notes.Plan.self, .init(3, 0, 0)) == nil)
    #expect(throws: SwiftDataError.backwardMigration) { try way(Notes.Plan.self, .init(4, 0, 0)) }
    #expect(throws: SwiftDataError.unknownDataStoreSchema) { try way(Notes.Plan.self, .init(1, 5, 0)) }
    #expect(throws: SwiftDataError.unknownSchema) { try way(Notes.Backwards.self, .init(1, 0, 0)) }
  }

  /// What nothing gives a value is named, and the file stays as it was.
  @Test func whatIsMissingIsNamed() throws {
    let context = try context(Notes.V2.self)
    context.insert(NotesV2.Note(headline: "new", size: 1))
    try context.save()
    let file = try Data(contentsOf: scratch.file())
    let error = #expect(throws: SwiftDataError.unknownSchema) {
      try self.context(Notes.Greedy.self, Notes.Demanding.self)
    }
    #expect("\(error as Any)".contains("'Note.title'"))
    #expect(try Data(contentsOf: scratch.file()) == file)
  }

  @Test func stepsGiveValues() throws {
    let before = try context(Notes.V2.self)
    before.insert(NotesV2.Note(headline: "large", size: .max))
    before.insert(NotesV2.Draft(headline: "draft", size: 7, reason: "kept"))
    for word in ["red", "blue"] { before.insert(NotesV2.Tag(word: word)) }
    try before.save()
    let after = try context(Notes.Greedy.self, Notes.Filling.self)
    let notes = try after.fetch(FetchDescriptor<NotesV1.Note>(sortBy: [SortDescriptor(\.title)]))
    #expect(notes.map(\.title) == ["DRAFT", "LARGE"] && notes.map(\.size) == [7, .max])
    #expect((notes[0] as? NotesV1.Draft)?.reason == "kept" && notes.map(\.obsolete) == ["", ""])
    let logs = try after.fetch(FetchDescriptor<NotesV1.Log>(sortBy: [SortDescriptor(\.text)]))
    #expect(logs.map(\.text) == ["draft was 7", "large was \(Int.max)"])
    #expect(try after.fetchCount(FetchDescriptor<NotesV1.Tag>()) == 2)
  }

  /// Which of two equals stays is not for a store to guess: nothing is written.
  @Test func duplicatesAreNamed() throws {
    let before = try context(Notes.V2.self)
    for _ in 0..<2 { before.insert(NotesV2.Tag(word: "red")) }
    try before.save()
    let file = try Data(contentsOf: scratch.file())
    let error = #expect(throws: SwiftDataError.unknownSchema) {
      try self.context(Notes.Greedy.self, Notes.Filling.self)
    }
    #expect("\(error as Any)".contains("the same word"))
    #expect(try Data(contentsOf: scratch.file()) == file)
  }
}
