import Foundation
import NotesV1
import NotesV2
import Testing
import Trellis

/// A custom store runs its migration plan.
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
      // The custom code of the stage deleted the note without a folder.
      #expect(notes.map(\.headline) == ["draft", "Ålesund"])
      #expect(notes.map(\.size) == [-1, Int(Int32.max)] && notes.map(\.mood) == [.calm, .wild])
      #expect(notes.map(\.stars) == [3, 3] && notes.map(\.summary) == [nil, nil])
      #expect((notes[0] as? NotesV2.Draft)?.reason == "none yet")
      let binder = try #require(notes[0].binder)
      #expect(binder.name == "work" && notes[1].binder === binder)
      #expect(Set(binder.notes.map(\.headline)) == ["draft", "Ålesund"])
      let tags = try context.fetch(FetchDescriptor<NotesV2.Tag>(sortBy: [SortDescriptor(\.word)]))
      #expect(tags.map(\.word) == ["migrated", "red"])
      // A relationship without '.ordered' has no order.
      #expect(Set(tags[1].notes.map(\.headline)) == ["draft", "Ålesund"])
      #expect(notes.map { Set($0.tags.map(\.word)) } == [["migrated", "red"], ["migrated", "red"]])
      // Models keep their keys; the entity was renamed.
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

  /// The error names the missing value, and the file stays unchanged.
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

  /// One of several equal models remains with its key and the relationships of all of them.
  @Test func duplicatesAreMerged() throws {
    let before = try context(Notes.V2.self)
    let notes = ["a", "b"].map { NotesV2.Note(headline: $0, size: 1) }
    let tags = ["red", "red", "blue"].map { NotesV2.Tag(word: $0) }
    for model in notes { before.insert(model) }
    for model in tags { before.insert(model) }
    tags[0].notes = [notes[0]]
    tags[1].notes = [notes[1]]
    tags[2].notes = [notes[1]]
    try before.save()
    let reds = Set(tags.prefix(2).map(\.persistentModelID))
    for round in 0..<2 {
      let after = try context(Notes.Greedy.self, Notes.Filling.self)
      let found = try after.fetch(FetchDescriptor<NotesV1.Tag>(sortBy: [SortDescriptor(\.word)]))
      #expect(found.map(\.word) == ["blue", "red"], "\(round)")
      #expect(found.map { Set($0.notes.map(\.title)) } == [["B"], ["A", "B"]])
      #expect(reds.contains(try #require(found.last).persistentModelID))
      #expect(found.first?.persistentModelID == tags[2].persistentModelID)
    }
  }

  /// References to missing models are dropped, and keys can have any type.
  @Test func keysOfEveryKind() throws {
    func named(_ entity: String, _ folder: String, _ note: String) throws -> [PersistentIdentifier] {
      [
        try .identifier(for: "notes", entityName: entity, primaryKey: folder),
        try .identifier(for: "notes", entityName: "Note", primaryKey: note),
      ]
    }
    func numbered(_ entity: String, _ key: Int) throws -> [PersistentIdentifier] {
      [
        try .identifier(for: "notes", entityName: entity, primaryKey: key),
        try .identifier(for: "notes", entityName: "Note", primaryKey: key),
      ]
    }
    let scratch = try Scratch()
    let context = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: Notes.V1.self),
        configurations: [ModelConfiguration(url: scratch.file())]))
    let folder = NotesV1.Folder(name: "work")
    let note = NotesV1.Note(title: "one", size: 1)
    note.folder = folder
    for model in [folder, note] as [any PersistentModel] { context.insert(model) }
    try context.save()
    let store = try DefaultStore(
      ModelConfiguration(schema: Schema(versionedSchema: Notes.V1.self), url: scratch.file()))
    func stored<M: PersistentModel>(_: M.Type) throws -> DefaultSnapshot {
      try #require(
        try store.fetch(DataStoreFetchRequest<M>(descriptor: FetchDescriptor(), editingState: EditingState()))
          .fetchedSnapshots.first)
    }
    let snapshots = [try stored(NotesV1.Folder.self), try stored(NotesV1.Note.self)]
    for (keys, expected) in [
      (try numbered("Folder", 7), try numbered("Binder", 7)),
      (try named("Folder", "a/b", "n"), try named("Binder", "a/b", "n")),
    ] {
      let remapped = Dictionary(uniqueKeysWithValues: zip(snapshots.map(\.persistentIdentifier), keys))
      let own = zip(snapshots, keys).map { $0.copy(persistentIdentifier: $1, remappedIdentifiers: remapped) }
      let migration = try #require(
        try SnapshotMigration(Notes.Plan.self, from: Schema.Version(1, 0, 0), storeIdentifier: "notes"))
      let result = try migration.run(own)
      // The stage inserts a tag.
      #expect(result.count == 3)
      #expect(result.prefix(2).map(\.persistentIdentifier) == expected)
      #expect(result[1][\NotesV2.Note.headline] == "one")
      #expect(result[1].value(named: "binder") as? PersistentIdentifier == result[0].persistentIdentifier)
      #expect(Set(result.map(\.persistentIdentifier)).count == 3)
      // The folder does not exist.
      let alone = try migration.run([own[1]])
      #expect(alone.map { $0.persistentIdentifier.entityName } == ["Tag"])
    }
  }
}
