import Foundation
import Observation
import Testing
import Trellis

@testable import TestWorlds

/// Observers that change, save and roll back during operations, and transactions that are rolled back after saves of
/// other contexts.
@Suite struct ReentrancyTests {
  private struct Stop: Error {}

  let fixture: LifeCycleFixture
  let context: ModelContext

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
  }

  private func saved(_ name: String = "North") throws -> Studio {
    let model = studio(name)
    context.insert(model)
    try context.save()
    return model
  }

  private func stored(_ name: String) throws -> Studio? {
    try fixture.fresh().fetch(FetchDescriptor<Studio>(predicate: #Predicate { $0.name == name })).first
  }

  @Test func writesOfObserversDuringAnUpsertAreKept() throws {
    let other = try saved("other")
    let ticket = Ticket(code: "a", count: 1)
    context.insert(ticket)
    try context.save()
    nonisolated(unsafe) let target = other
    withObservationTracking {
      _ = ticket.count
    } onChange: {
      target.floor = 7
    }
    context.insert(Ticket(code: "a", count: 5))
    try context.save()
    try context.save()
    let read = try fixture.fresh().fetch(FetchDescriptor<Studio>()).first
    #expect(read?.floor == other.floor)
    other.floor = 8
    try context.save()
    let again = try fixture.fresh().fetch(FetchDescriptor<Studio>()).first
    #expect(again?.floor == 8)
  }

  @Test func writesOfObserversDuringARollbackAreKept() throws {
    let other = try saved("other")
    let model = try saved()
    model.name = "changed"
    nonisolated(unsafe) let target = other
    withObservationTracking {
      _ = model.name
    } onChange: {
      target.floor = 7
    }
    context.rollback()
    #expect(model.name == "North")
    other.floor = 8
    try context.save()
    let read = try stored("other")
    #expect(read?.floor == 8)
  }

  @Test func writesOfObserversDuringATransactionRollbackAreKept() throws {
    let other = try saved("other")
    let model = try saved()
    #expect(throws: Stop.self) {
      try context.transaction {
        model.name = "changed"
        nonisolated(unsafe) let target = other
        withObservationTracking {
          _ = model.name
        } onChange: {
          target.floor = 7
        }
        throw Stop()
      }
    }
    #expect(model.name == "North")
    other.floor = 8
    try context.save()
    let read = try stored("other")
    #expect(read?.floor == 8)
  }

  @Test(arguments: [false, true])
  func observersCanSaveOrRollBackBeforeTheValueIsSet(_ isRollback: Bool) throws {
    let model = try saved()
    let painter = artist("p")
    context.insert(painter)
    try context.save()
    nonisolated(unsafe) let context = context
    func watch(_ read: () -> Void, _ change: () -> Void) {
      withObservationTracking(read) {
        if isRollback { context.rollback() } else { try? context.save() }
      }
      change()
    }
    watch({ _ = model.name }) { model.name = "x" }
    #expect(context.hasChanges && model.hasChanges)
    watch({ _ = model.patron }) { model.patron = painter }
    #expect(context.hasChanges && model.hasChanges)
    watch({ _ = model.artists }) { model.artists = [painter] }
    #expect(context.hasChanges && model.hasChanges)
    watch({ _ = painter.studios }) { model.artists.append(artist("q")) }
    try context.save()
    let read = try fixture.fresh().fetch(FetchDescriptor<Studio>()).first
    #expect(read?.name == model.name)
    #expect(read?.patron?.name == model.patron?.name)
    #expect(read?.artists.map(\.name) == model.artists.map(\.name))
    if !isRollback {
      #expect(model.name == "x" && model.patron === painter && model.artists.count == 2)
    }
    watch({ _ = painter.studios }) { model.artists = [] }
    try context.save()
    // Observers of the inverse are notified after both ends are set. A rollback reverts the whole edit.
    let last = try fixture.fresh().fetch(FetchDescriptor<Studio>()).first
    #expect(last?.artists.map(\.name) == model.artists.map(\.name))
    #expect(isRollback || model.artists.isEmpty)
  }

  @Test func throwingTransactionsKeepCommitsOfOtherContexts() throws {
    let model = try saved()
    model.name = "pending"
    #expect(throws: Stop.self) {
      try context.transaction {
        let other = fixture.fresh()
        let twin = try #require(try other.fetch(FetchDescriptor<Studio>()).first)
        twin.floor = 5
        try other.save()
        _ = try context.fetch(FetchDescriptor<Studio>())
        #expect(model.floor == 5)
        throw Stop()
      }
    }
    #expect(model.name == "pending")
    #expect(model.floor == 5)
    context.rollback()
    #expect(model.floor == 5)
    model.rating = 1
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Studio>()).first?.floor == 5)
  }

  @Test(arguments: [false, true])
  func throwingTransactionsKeepDeletionsOfOtherContexts(_ touches: Bool) throws {
    let model = try saved()
    if touches { model.name = "pending" }
    #expect(throws: Stop.self) {
      try context.transaction {
        model.rating = 2
        let other = fixture.fresh()
        let twin = try #require(try other.fetch(FetchDescriptor<Studio>()).first)
        other.delete(twin)
        try other.save()
        _ = try context.fetch(FetchDescriptor<Studio>())
        throw Stop()
      }
    }
    // Unsaved changes from before the transaction are not dropped silently.
    #expect(model.isDeleted == !touches)
    if touches {
      #expect(model.name == "pending")
      #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
      context.delete(model)
    }
    try context.save()
    #expect(model.isDeleted && !context.hasChanges)
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Studio>()) == 0)
  }

  @Test func observersCanRollBackAndSaveDuringUndo() throws {
    let manager = UndoManager()
    let model = try saved()
    context.undoManager = manager
    nonisolated(unsafe) let context = context
    model.name = "b"
    context.processPendingChanges()
    withObservationTracking {
      _ = model.name
    } onChange: {
      context.rollback()
    }
    manager.undo()
    #expect(model.name == "North")
    model.name = "c"
    context.processPendingChanges()
    withObservationTracking {
      _ = model.name
    } onChange: {
      try? context.save()
    }
    manager.undo()
    try context.save()
    #expect(try stored(model.name) != nil)
  }
}
