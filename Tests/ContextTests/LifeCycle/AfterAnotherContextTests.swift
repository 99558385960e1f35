import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Rollback and undo after another context has changed or deleted rows, or with rows that existed before.
@Suite struct AfterAnotherContextTests {
  private struct Stop: Error {}

  let fixture: LifeCycleFixture
  let context: ModelContext
  let manager = UndoManager()

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
  }

  private func ticket(_ code: String, in context: ModelContext) throws -> Ticket {
    try #require(
      try context.fetch(FetchDescriptor<Ticket>(predicate: #Predicate { $0.code == code })).first)
  }

  private func counts() throws -> [String: Int] {
    let all = try fixture.fresh().fetch(FetchDescriptor<Ticket>())
    return Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0.count) })
  }

  /// Changes "a" and deletes "b" in another context, and refreshes this context.
  private func changeElsewhere() throws {
    let other = fixture.fresh()
    try ticket("a", in: other).count = 50
    other.delete(try ticket("b", in: other))
    try other.save()
    _ = try context.fetch(FetchDescriptor<Ticket>())
  }

  // MARK: Transactions that throw

  @Test(arguments: [false, true], [1, 2])
  func throwingTransactionsKeepSavesOfOtherContexts(isPending: Bool, depth: Int) throws {
    let (a, b) = (Ticket(code: "a", count: 1), Ticket(code: "b", count: 2))
    let (stub, holder) = (Stub(row: 1), artist("h"))
    for model in [a, b] { context.insert(model) }
    context.insert(stub)
    context.insert(holder)
    try context.save()
    a.holder = holder
    if isPending {
      b.count = 20
      b.stubs = [stub]
    }
    func run(_ depth: Int) throws {
      try context.transaction {
        if depth > 1 {
          #expect(throws: Stop.self) { try run(depth - 1) }
        } else {
          a.count = 7
          b.count = 70
          try changeElsewhere()
          #expect(a.count == 7)
        }
        throw Stop()
      }
    }
    #expect(throws: Stop.self) { try run(depth) }
    #expect(a.count == 50 && a.holder === holder)
    #expect(context.changedModelsArray.contains { $0 === a })
    if isPending {
      // The model had unsaved changes before the transaction, which must not be dropped silently.
      #expect(!b.isDeleted && b.count == 20 && stub.ticket === b)
      #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
      b.stubs = []
      context.delete(b)
    } else {
      #expect(b.isDeleted && b.modelContext == nil && stub.ticket == nil)
      #expect(!context.changedModelsArray.contains { $0 === b })
    }
    try context.save()
    #expect(b.isDeleted && b.modelContext == nil && stub.ticket == nil)
    #expect(try counts() == ["a": 50])
    #expect(try ticket("a", in: fixture.fresh()).holder?.name == "h")
    #expect(try fixture.fresh().fetch(FetchDescriptor<Stub>()).map(\.row) == [1])
    a.holder = nil
    context.rollback()
    #expect(a.count == 50)
  }

  @Test func throwingTransactionsDropPendingDeletionsOfDeletedRows() throws {
    let (a, b) = (Ticket(code: "a", count: 1), Ticket(code: "b", count: 2))
    for model in [a, b] { context.insert(model) }
    try context.save()
    context.delete(a)
    context.delete(b)
    #expect(throws: Stop.self) {
      try context.transaction {
        try changeElsewhere()
        throw Stop()
      }
    }
    #expect(context.deletedModelsArray.map(\.persistentModelID) == [a.persistentModelID])
    try context.save()
    #expect(try counts().isEmpty)
  }

  @Test func errorsAboutDeletedRowsExplainTheSolution() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).store")
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + end) } }
    // Each context simulates a separate program.
    let contexts = try (0..<2).map { _ in
      ModelContext(
        try ModelContainer(for: Ticket.self, Artist.self, configurations: ModelConfiguration(url: url)))
    }
    contexts[0].insert(Ticket(code: "a"))
    contexts[0].insert(Ticket(code: "b"))
    try contexts[0].save()
    let (a, b) = (try ticket("a", in: contexts[0]), try ticket("b", in: contexts[0]))
    contexts[1].delete(try ticket("a", in: contexts[1]))
    try contexts[1].save()
    a.count = 1
    b.count = 2
    let error = try #require(throws: SwiftDataError.self) { try contexts[0].save() }
    #expect("\(error)".contains("\(a.persistentModelID): was deleted by a concurrent save"))
    #expect("\(error)".contains("delete the model here too, roll back"))
    // The advice of the error works, and no other change is lost.
    contexts[0].delete(a)
    try contexts[0].save()
    #expect(a.isDeleted && !contexts[0].hasChanges)
    let read = try ModelContext(contexts[1].container).fetch(FetchDescriptor<Ticket>())
    #expect(read.map(\.code) == ["b"] && read.map(\.count) == [2])
  }

  // MARK: Undo of insertions that were merged with rows

  /// A row "a" with the count 1, saved before the undo manager is used.
  private func makeRow() throws -> Ticket {
    let row = Ticket(code: "a", count: 1)
    context.insert(row)
    row.holder = artist("first")
    try context.save()
    context.undoManager = manager
    return row
  }

  @Test(arguments: [false, true])
  func undoingAMergedInsertionRestoresTheRow(isProcessed: Bool) throws {
    let row = try makeRow()
    let new = Ticket(code: "a", count: 2)
    context.insert(new)
    new.holder = artist("second")
    new.stubs = [Stub(row: 5)]
    if isProcessed { context.processPendingChanges() }
    try context.save()
    #expect(row.count == 2 && row.holder?.name == "second" && new.isDeleted)
    for _ in 0..<2 {
      while manager.canUndo { manager.undo() }
      #expect(row.count == 1 && row.holder?.name == "first" && !row.isDeleted)
      try context.save()
      #expect(try counts() == ["a": 1])
      #expect(try fixture.fresh().fetchCount(FetchDescriptor<Stub>()) == 0)
      while manager.canRedo { manager.redo() }
      #expect(row.count == 2 && row.holder?.name == "second")
      try context.save()
      #expect(try counts() == ["a": 2])
      #expect(try ticket("a", in: fixture.fresh()).stubs.map(\.row) == [5])
      #expect(row.stubs.map(\.row) == [5])
    }
  }

  @Test func undoingAMergeRevertsTheRowsOwnChanges() throws {
    let row = try makeRow()
    context.insert(Ticket(code: "a", count: 3))
    row.count = 2
    try context.save()
    #expect(try counts() == ["a": row.count])
    manager.undo()
    try context.save()
    #expect(row.count == 1)
    #expect(try counts() == ["a": 1])
  }

  @Test(arguments: [false, true])
  func undoingAnInsertionMergedWithAnUnregisteredRowKeepsTheRow(isProcessed: Bool) throws {
    let other = fixture.fresh()
    other.insert(Ticket(code: "a", count: 1))
    try other.save()
    context.undoManager = manager
    let (new, fresh) = (Ticket(code: "a", count: 2), Ticket(code: "b", count: 3))
    context.insert(new)
    context.insert(fresh)
    if isProcessed { context.processPendingChanges() }
    try context.save()
    manager.undo()
    // The new model is deleted. The existing model stays, because its former values are unknown.
    #expect(fresh.isDeleted && !new.isDeleted)
    try context.save()
    #expect(try counts() == ["a": 2])
    manager.redo()
    try context.save()
    #expect(try counts() == ["a": 2, "b": 3])
  }

  @Test func twoNewModelsMergedWithEachOtherAreUndoneTogether() throws {
    context.undoManager = manager
    context.insert(Ticket(code: "a", count: 1))
    context.insert(Ticket(code: "a", count: 2))
    try context.save()
    #expect(try counts() == ["a": 2])
    manager.undo()
    try context.save()
    #expect(try counts().isEmpty)
    manager.redo()
    try context.save()
    #expect(try counts() == ["a": 2])
  }
}
