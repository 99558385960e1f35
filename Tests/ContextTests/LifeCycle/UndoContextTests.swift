import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Undo with other contexts, observers and changing undo managers.
@Suite struct UndoContextTests {
  let fixture: LifeCycleFixture
  let context: ModelContext
  let manager = UndoManager()

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
    context.undoManager = manager
  }

  private func saved() throws -> Studio {
    let model = studio()
    context.insert(model)
    try context.save()
    manager.removeAllActions()
    return model
  }

  @Test func groupsContainStepsOfSeveralContexts() throws {
    let model = try saved()
    let other = fixture.fresh()
    other.undoManager = manager
    let twin = try #require(try other.fetch(FetchDescriptor<Studio>()).first)
    manager.beginUndoGrouping()
    model.floor = 1
    context.processPendingChanges()
    twin.name = "other"
    manager.endUndoGrouping()
    manager.undo()
    #expect(model.floor == 0 && twin.name == "North")
  }

  @Test func observersAreNotifiedOfUndo() throws {
    let model = try saved()
    model.name = "a"
    context.processPendingChanges()
    nonisolated(unsafe) var isTold = false
    withObservationTracking {
      _ = model.name
    } onChange: {
      isTold = true
    }
    manager.undo()
    #expect(isTold && model.name == "North")
  }

  @Test func releasingAContextEmptiesItsUndoManager() throws {
    var scratch: ModelContext? = ModelContext(fixture.container)
    let undo = UndoManager()
    scratch?.undoManager = undo
    weak let kept = scratch
    scratch?.insert(studio())
    #expect(undo.canUndo)
    scratch = nil
    #expect(kept == nil)
    #expect(!undo.canUndo)
    undo.undo()
  }

  @Test func removingTheUndoManagerDiscardsItsSteps() throws {
    let model = try saved()
    model.name = "a"
    context.processPendingChanges()
    context.undoManager = nil
    #expect(!manager.canUndo)
    manager.undo()
    #expect(model.name == "a")
  }

  @Test func changesOfOtherContextsAreNotUndone() throws {
    let model = try saved()
    model.name = "mine"
    context.processPendingChanges()
    let other = fixture.fresh()
    try other.fetch(FetchDescriptor<Studio>()).first?.floor = 9
    try other.save()
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    manager.undo()
    #expect(model.name == "North" && model.floor == 9)
    model.name = "again"
    try other.fetch(FetchDescriptor<Studio>()).first?.floor = 10
    try other.save()
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    manager.undo()
    #expect(model.name == "North" && model.floor == 10)
  }

  @Test func undoDoesNotRestoreModelsDeletedByAnotherContext() throws {
    let model = try saved()
    model.name = "mine"
    try context.save()
    let other = fixture.fresh()
    other.delete(try #require(try other.fetch(FetchDescriptor<Studio>()).first))
    try other.save()
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    manager.undo()
    #expect(model.isDeleted && !context.hasChanges)
    manager.redo()
    #expect(model.isDeleted && !context.hasChanges)
  }

  @Test func observersSeeCompletelyUndoneSteps() throws {
    let model = try saved()
    model.floor = 1
    model.name = "a"
    model.patron = artist("p")
    context.processPendingChanges()
    nonisolated(unsafe) let observed = model
    nonisolated(unsafe) var seen: [String] = []
    withObservationTracking {
      _ = model.name
    } onChange: {
      seen = [observed.name, "\(observed.floor)", observed.patron?.name ?? "nobody"]
    }
    manager.undo()
    #expect(seen == ["North", "0", "nobody"])
  }

  /// A limited manager retains no models of the steps that it has dropped.
  @Test func droppedStepsRetainNoModels() throws {
    let kept = try saved()
    manager.levelsOfUndo = 2
    weak var returned: Studio?
    weak var merged: Ticket?
    func fill() throws {
      let model = studio("returned")
      context.insert(model)
      try context.save()
      for _ in 0..<2 {
        context.delete(model)
        try context.save()
        manager.undo()
        try context.save()
      }
      context.delete(model)
      context.insert(Ticket(code: "a", count: 1))
      try context.save()
      let ticket = Ticket(code: "a", count: 2)
      context.insert(ticket)
      try context.save()
      (returned, merged) = (model, ticket)
    }
    try fill()
    #expect(returned != nil && merged != nil)
    for floor in 1...3 {
      kept.floor = floor
      context.processPendingChanges()
    }
    #expect(returned == nil && merged == nil)
    for _ in 0..<3 { manager.undo() }
    #expect(kept.floor == 1)
  }

  /// Applies whether the deletion was saved or not: the artist returns to its position.
  @Test(arguments: [false, true], 0..<3)
  func undoRestoresADeletedMembersPositionInAnOrderedList(isSaved: Bool, place: Int) throws {
    let model = try saved()
    let people = ["a", "b", "c"].map(artist)
    model.artists = people
    try context.save()
    manager.removeAllActions()
    context.delete(people[place])
    if isSaved { try context.save() }
    #expect(model.artists.count == 2)
    manager.undo()
    #expect(model.artists.map(\.name) == ["a", "b", "c"])
    try context.save()
    let read = try fixture.fresh().fetch(FetchDescriptor<Studio>())
    #expect(read.first?.artists.map(\.name) == ["a", "b", "c"])
  }

  /// An undo step contains a relationship change and the deletion of its destination. Undo reverts both.
  @Test func undoRevertsAReferenceAndTheDeletionOfItsTarget() throws {
    let model = try saved()
    let (patron, guest) = (artist("p"), artist("g"))
    context.insert(patron)
    context.insert(guest)
    try context.save()
    manager.removeAllActions()
    model.patron = patron
    guest.friends = [patron]
    context.delete(patron)
    context.processPendingChanges()
    manager.undo()
    #expect(!patron.isDeleted && model.patron == nil && guest.friends.isEmpty)
    manager.redo()
    #expect(patron.isDeleted && model.patron == nil && guest.friends.isEmpty)
  }

  /// The deleted model was last a member of a list whose owner is saved with the deletion.
  @Test(arguments: [false, true])
  func undoDoesNotReturnADeletedMemberToItsNewOwner(isNew: Bool) throws {
    let (north, maker) = (try saved(), artist("m"))
    let piece = Painting(title: "p", maker: maker, width: 1)
    context.insert(piece)
    if !isNew {
      piece.studio = north
      try context.save()
    }
    context.processPendingChanges()
    let south = studio("South")
    context.insert(south)
    #expect(south.pieces.isEmpty)
    piece.studio = south
    context.delete(piece)
    try context.save()
    manager.undo()
    #expect(piece.studio === (isNew ? nil : north))
    #expect(south.pieces.isEmpty && north.pieces.count == (isNew ? 0 : 1))
  }
}
