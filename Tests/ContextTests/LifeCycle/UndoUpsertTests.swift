import Foundation
import Observation
import Testing
import Trellis

@testable import TestWorlds

/// Undo of saves that merged insertions with existing rows.
@Suite struct UndoUpsertTests {
  let fixture: LifeCycleFixture
  let context: ModelContext
  let manager = UndoManager()
  let ticket = Ticket(code: "a", count: 1)
  let other = studio("other")

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
    context.undoManager = manager
    context.insert(ticket)
    context.insert(other)
    try context.save()
    manager.removeAllActions()
  }

  @Test func changesMadeByUpsertObserversAreASeparateStep() throws {
    nonisolated(unsafe) let other = other
    nonisolated(unsafe) let ticket = ticket
    withObservationTracking {
      _ = ticket.count
    } onChange: {
      (other.floor, ticket.holder) = (7, nil)
    }
    other.rating = 1
    context.insert(Ticket(code: "a", count: 5))
    try context.save()
    #expect(other.floor == 7)
    manager.undo()
    #expect(other.floor == 0 && other.rating == 1 && ticket.count == 5)
    manager.undo()
    #expect(other.floor == 0 && other.rating == nil && ticket.count == 1)
    #expect(!manager.canUndo)
    manager.redo()
    #expect(other.floor == 0 && other.rating == 1 && ticket.count == 5)
    manager.redo()
    #expect(other.floor == 7 && other.rating == 1 && ticket.count == 5)
  }

  @Test func changesMadeBySaveObserversAreUndone() throws {
    nonisolated(unsafe) let other = other
    let center = NotificationCenter.default
    let tokens = [
      center.addObserver(forName: ModelContext.willSave, object: context, queue: nil) { _ in
        other.floor += 1
      },
      center.addObserver(forName: ModelContext.didSave, object: context, queue: nil) { _ in
        other.labels.append("saved")
      },
    ]
    ticket.count = 2
    try context.save()
    tokens.forEach(center.removeObserver)
    manager.undo()
    #expect(other.labels.isEmpty && other.floor == 1 && ticket.count == 2)
    manager.undo()
    #expect(other.labels.isEmpty && other.floor == 0 && ticket.count == 1)
  }

  @Test func oneUndoRevertsAnUpsertRegisteredBeforeTheSave() throws {
    context.insert(Ticket(code: "a", count: 5))
    context.processPendingChanges()
    try context.save()
    #expect(ticket.count == 5)
    manager.undo()
    #expect(ticket.count == 1 && !manager.canUndo)
    manager.redo()
    #expect(ticket.count == 5 && !manager.canRedo)
    manager.undo()
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Ticket>()).map(\.count) == [1])
  }

  @Test func overwritingBySaveAddsNoStepAfterOtherSteps() throws {
    context.insert(Ticket(code: "a", count: 5))
    context.processPendingChanges()
    other.floor = 1
    context.processPendingChanges()
    other.rating = 2
    try context.save()
    manager.undo()
    #expect(other.rating == nil && other.floor == 1 && ticket.count == 5)
    manager.undo()
    #expect(other.floor == 0 && ticket.count == 5)
    manager.undo()
    #expect(ticket.count == 1 && !manager.canUndo)
    for _ in 0..<3 { manager.redo() }
    #expect(ticket.count == 5 && other.floor == 1 && other.rating == 2)
  }

  /// Both steps change the row. The later step restores the overwritten values, so that each former value is restored
  /// once.
  @Test(arguments: [false, true])
  func undoOfAnUpsertRevertsLaterChangesOfTheRow(_ isRegistered: Bool) throws {
    context.insert(Ticket(code: "a", count: 5))
    context.processPendingChanges()
    ticket.count = 3
    if isRegistered { context.processPendingChanges() }
    try context.save()
    #expect(ticket.count == 5)
    manager.undo()
    #expect(ticket.count == 1)
    manager.undo()
    #expect(ticket.count == 1 && !manager.canUndo)
    manager.redo()
    manager.redo()
    #expect(ticket.count == 5)
  }
}
