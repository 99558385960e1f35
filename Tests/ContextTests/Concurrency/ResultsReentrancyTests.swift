import Foundation
import Observation
import Testing
import Trellis

/// Observers that change results during their notification, and undo.
@Suite(.timeLimit(.minutes(60))) @MainActor struct ResultsReentrancyTests {
  let stage: Stage
  let context: ModelContext

  init() throws {
    stage = try Stage()
    context = stage.context()
  }

  private func all() throws -> ResultsObserver<Band, Never> {
    try ResultsObserver<Band, Never>(
      filterBy: #Predicate { $0.genre == "rock" }, sortBy: [SortDescriptor(\.name)],
      modelContext: context)
  }

  @Test func changesMadeByResultsObserversAreSeen() async throws {
    let observer = try all()
    nonisolated(unsafe) let context = context
    withObservationTracking {
      _ = observer.results
    } onChange: {
      context.insert(Band(name: "second"))
    }
    context.insert(Band(name: "first"))
    #expect(await eventually { observer.results.map(\.name) == ["first", "second"] })
    context.insert(Band(name: "third"))
    #expect(await eventually { observer.results.count == 3 })
  }

  @Test func changingTheQueryInACallback() async throws {
    let observer = try all()
    nonisolated(unsafe) let same = observer
    withObservationTracking {
      _ = observer.results
    } onChange: {
      same.sortBy = [SortDescriptor(\.name, order: .reverse)]
    }
    context.insert(Band(name: "a"))
    context.insert(Band(name: "b"))
    #expect(await eventually { observer.results.map(\.name) == ["b", "a"] })
  }

  @Test func processPendingChangesUpdatesObservers() throws {
    let observer = try all()
    context.insert(Band(name: "a"))
    context.processPendingChanges()
    #expect(observer.results.map(\.name) == ["a"])
  }

  @Test func undoOfAnyColumnUpdatesResults() async throws {
    let manager = UndoManager()
    context.undoManager = manager
    try stage.save("a", "b")
    let observer = try ResultsObserver<Band, Never>(
      sortBy: [SortDescriptor(\.notes)], modelContext: context)
    let a = try #require(observer.results.first { $0.name == "a" })
    a.notes = "9"
    a.name = "0"
    a.founded = 3
    #expect(await eventually { observer.results.map(\.name) == ["b", "0"] })
    manager.undo()
    #expect(await eventually { Set(observer.results.map(\.name)) == ["a", "b"] })
    manager.redo()
    #expect(await eventually { observer.results.map(\.name) == ["b", "0"] })
    a.notes = "10"
    a.genre = "pop"
    context.processPendingChanges()
    let rock = try all()
    #expect(rock.results.map(\.name) == ["b"])
    manager.undo()
    #expect(await eventually { rock.results.map(\.name) == ["0", "b"] })
    try context.save()
    try stage.container.erase()
    #expect(await eventually { rock.results.isEmpty && observer.results.isEmpty })
    manager.undo()
    manager.redo()
    #expect(await eventually { rock.results.isEmpty && observer.results.isEmpty })
  }
}
