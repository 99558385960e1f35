import Foundation
import Testing
import Trellis

@testable import TestWorlds

@Suite struct UndoTests {
  let fixture: LifeCycleFixture
  let context: ModelContext
  let manager = UndoManager()

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
    context.undoManager = manager
  }

  private func saved(_ name: String = "North") throws -> Studio {
    let model = studio(name)
    context.insert(model)
    try context.save()
    manager.removeAllActions()
    return model
  }

  private func storedNames() throws -> [String] {
    try fixture.fresh().fetch(FetchDescriptor<Studio>(sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test func S071_undoManagerIsNilByDefaultAndUndoesAllChanges() throws {
    let plain = fixture.fresh()
    #expect(plain.undoManager == nil)
    plain.processPendingChanges()
    let model = studio()
    context.insert(model)
    #expect(manager.canUndo)
    manager.undo()
    #expect(!context.hasChanges && model.isDeleted)
    #expect(try context.fetchCount(FetchDescriptor<Studio>()) == 0)
    manager.redo()
    #expect(!model.isDeleted && model.modelContext === context)
    #expect(context.insertedModelsArray.count == 1)
    try context.save()
    #expect(try storedNames() == ["North"])
    model.name = "South"
    manager.undo()
    #expect(model.name == "North" && !context.hasChanges)
    manager.redo()
    #expect(model.name == "South" && context.hasChanges)
    try context.save()
    context.delete(model)
    manager.undo()
    #expect(!model.isDeleted && !context.hasChanges)
    manager.redo()
    try context.save()
    #expect(try storedNames() == [])
  }

  @Test func S072_processPendingChangesGroupsEarlierChangesIntoOneStep() throws {
    let model = try saved()
    model.name = "a"
    model.floor = 1
    model.name = "b"
    let piece = Badge(number: 1, studio: model)
    context.processPendingChanges()
    model.floor = 2
    context.processPendingChanges()
    context.processPendingChanges()
    manager.undo()
    #expect(model.floor == 1 && model.name == "b" && model.badge === piece)
    manager.undo()
    #expect(model.floor == 0 && model.name == "North" && model.badge == nil)
    #expect(!context.hasChanges && !manager.canUndo)
    manager.redo()
    #expect(model.floor == 1 && model.name == "b" && model.badge === piece)
  }

  @Test @MainActor func S073_theMainContextHasItsOwnUndoManager() throws {
    let main = fixture.container.mainContext
    main.undoManager = UndoManager()
    #expect(ModelContext(fixture.container).undoManager == nil)
    #expect(context.undoManager === manager)
  }

  @Test func S060_rollbackEmptiesTheUndoStack() throws {
    let model = try saved()
    model.name = "a"
    context.processPendingChanges()
    model.name = "b"
    context.rollback()
    #expect(!manager.canUndo && !manager.canRedo)
    manager.undo()
    #expect(model.name == "North")
  }

  @Test func savesKeepUndoStepsAndUndoMakesNewChanges() throws {
    let model = try saved()
    model.name = "South"
    try context.save()
    manager.undo()
    #expect(model.name == "North")
    #expect(context.changedModelsArray.count == 1)
    try context.save()
    #expect(try storedNames() == ["North"])
    manager.redo()
    try context.save()
    #expect(try storedNames() == ["South"])
  }

  @Test func undoOfASavedInsertionDeletesItAndRedoInsertsANewRow() throws {
    let model = studio()
    context.insert(model)
    try context.save()
    let first = model.persistentModelID
    manager.undo()
    #expect(model.isDeleted && context.deletedModelsArray.count == 1)
    try context.save()
    #expect(try storedNames() == [])
    manager.redo()
    #expect(!model.isDeleted && model.persistentModelID.isTemporary && model.name == "North")
    try context.save()
    #expect(try storedNames() == ["North"])
    #expect(model.persistentModelID != first)
  }

  @Test func undoOfASavedDeletionRestoresTheGraph() throws {
    let model = try saved()
    let maker = artist("A")
    let friend = artist("B")
    maker.friends = [friend]
    let subject = Subject(word: "sea")
    let painting = Painting(title: "Waves", studio: model, maker: maker, subjects: [subject], width: 2)
    model.badge = Badge(number: 7)
    model.artists = [friend, maker]
    model.patron = maker
    try context.save()
    manager.removeAllActions()
    context.delete(model)
    try context.save()
    #expect(painting.isDeleted && model.isDeleted)
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Piece>()) == 0)
    manager.undo()
    #expect(model.pieces.map(\.title) == ["Waves"] && model.pieces.first === painting)
    #expect(painting.maker === maker && painting.subjects.first === subject)
    #expect(subject.pieces.first === painting)
    #expect(model.badge?.number == 7)
    #expect(model.artists.map(\.name) == ["B", "A"] && model.patron === maker)
    try context.save()
    let other = fixture.fresh()
    let read = try #require(try other.fetch(FetchDescriptor<Studio>()).first)
    #expect(read.pieces.map(\.title) == ["Waves"])
    #expect((read.pieces.first as? Painting)?.width == 2)
    #expect(read.pieces.first?.subjects.map(\.word) == ["sea"])
    #expect(read.pieces.first?.maker.name == "A")
    #expect(read.badge?.number == 7 && read.patron?.name == "A")
    #expect(read.artists.map(\.name) == ["B", "A"])
    manager.redo()
    try context.save()
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Piece>()) == 0)
    manager.undo()
    try context.save()
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Piece>()) == 1)
  }

  @Test func undoOfAnInsertionKeepsExistingModels() throws {
    let maker = artist("A")
    let piece = Sculpture(title: "Stone", maker: maker, weight: 3)
    context.insert(piece)
    try context.save()
    manager.removeAllActions()
    let model = studio()
    model.pieces = [piece]
    model.patron = maker
    context.insert(model)
    try context.save()
    manager.undo()
    #expect(piece.studio == nil && !piece.isDeleted)
    try context.save()
    let other = fixture.fresh()
    #expect(try other.fetch(FetchDescriptor<Sculpture>()).map(\.title) == ["Stone"])
    #expect(try other.fetchCount(FetchDescriptor<Artist>()) == 1)
    manager.redo()
    #expect(model.pieces.first === piece && model.patron === maker)
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Studio>()).first?.pieces.count == 1)
  }

  @Test func relationshipsOfEveryKindAreUndoneAndRedone() throws {
    let people = ["a", "b", "c", "d"].map(artist)
    for person in people { context.insert(person) }
    let model = try saved()
    let (a, b, c, d) = (people[0], people[1], people[2], people[3])
    a.partner = b
    a.friends = [b, c]
    a.mentor = d
    model.artists = [a, b, c]
    try context.save()
    manager.removeAllActions()
    c.partner = a
    a.friends = [d]
    d.pupils = [b]
    model.artists = [c, d, a]
    b.studios.append(model)
    context.processPendingChanges()
    for _ in 0..<3 {
      manager.undo()
      #expect(a.partner === b && c.partner == nil && a.mentor === d && b.mentor == nil)
      #expect(Set(a.friends.map(\.name)) == ["b", "c"] && d.friends.isEmpty)
      #expect(model.artists.map(\.name) == ["a", "b", "c"] && d.studios.isEmpty)
      #expect(!context.hasChanges)
      manager.redo()
      #expect(a.partner === c && b.partner == nil && a.mentor == nil && b.mentor === d)
      #expect(a.friends.map(\.name) == ["d"])
      #expect(model.artists.map(\.name) == ["c", "d", "a", "b"])
    }
    try context.save()
    let read = try fixture.fresh().fetch(FetchDescriptor<Studio>())
    #expect(read.first?.artists.map(\.name) == ["c", "d", "a", "b"])
  }

  @Test func undoWorksOnUnreadLists() throws {
    let model = try saved()
    let person = artist("a")
    person.studios = [model]
    context.insert(person)
    try context.save()
    let other = fixture.fresh()
    let undo = UndoManager()
    other.undoManager = undo
    let twin = try #require(try other.fetch(FetchDescriptor<Artist>()).first)
    twin.studios = []
    undo.undo()
    #expect(twin.studios.count == 1)
    #expect(try other.fetch(FetchDescriptor<Studio>()).first?.artists.first === twin)
    #expect(!other.hasChanges)
  }

  @Test func transactionsAreOneStepUnlessTheyThrow() throws {
    struct Stop: Error {}
    let model = try saved()
    try context.transaction {
      model.name = "a"
      context.processPendingChanges()
      model.floor = 3
    }
    #expect(throws: Stop.self) {
      try context.transaction {
        model.name = "b"
        throw Stop()
      }
    }
    manager.undo()
    #expect(model.name == "North" && model.floor == 0)
    #expect(!manager.canUndo)
  }

  @Test func failedSavesKeepPendingUndoSteps() throws {
    let model = try saved()
    let maker = artist("A")
    let piece = Piece(title: "p", maker: maker)
    piece.studio = model
    try context.save()
    manager.removeAllActions()
    let stray = Piece(title: "stray", maker: maker)
    model.name = "South"
    context.delete(maker)
    context.insert(stray)
    context.insert(Piece(title: "lost", maker: artist("gone")))
    #expect(model.name == "South")
    manager.undo()
    #expect(model.name == "North" && !maker.isDeleted && piece.maker === maker)
    #expect(context.changedModelsArray.map { "\(type(of: $0))" } == [])
    #expect(!context.hasChanges)
  }

  @Test func changesDuringDisabledRegistrationAreNotUndone() throws {
    let model = try saved()
    manager.disableUndoRegistration()
    model.name = "a"
    context.processPendingChanges()
    manager.enableUndoRegistration()
    model.floor = 1
    manager.undo()
    #expect(model.name == "a" && model.floor == 0)
  }
}
