import Foundation
import Testing
import Trellis

/// The effects of a batch on contexts.
@Suite struct ContextTests {
  @Test func registeredModelsInAllContextsAreUpdated() throws {
    let fixture = try BatchFixture()
    let ada = Person(name: "ada", age: 1)
    fixture.context.insert(ada)
    try fixture.context.save()
    let other = fixture.other
    let there = try #require(try other.all(Person.self).first)
    #expect(there.pupils.isEmpty && ada.pupils.isEmpty)
    try fixture.context.upsert(contentsOf: [
      Person.Snapshot(name: "ada", age: 2),
      Person.Snapshot(name: "ben", mentor: ada.persistentModelID),
    ])
    #expect(ada.age == 2)
    #expect(ada.pupils.map(\.name) == ["ben"])
    #expect(try other.count(Person.self) == 2)
    #expect(there.age == 2)
    #expect(there.pupils.map(\.name) == ["ben"])
  }

  @Test func pendingChangesRemainPending() throws {
    let fixture = try BatchFixture()
    let context = fixture.context
    let ada = Person(name: "ada", age: 1)
    let zoe = Person(name: "zoe")
    context.insert(ada)
    context.insert(zoe)
    try context.save()
    ada.notes = "pending"
    context.delete(zoe)
    let ben = Person(name: "ben", age: 5)
    context.insert(ben)
    try context.upsert(contentsOf: [
      Person.Snapshot(name: "ada", age: 2), Person.Snapshot(name: "ben", age: 6),
      Person.Snapshot(name: "cleo", mentor: zoe.persistentModelID),
    ])
    #expect(context.insertedModelsArray.count == 1 && context.insertedModelsArray[0] === ben)
    #expect(context.changedModelsArray.count == 1 && context.deletedModelsArray.count == 1)
    // Properties without pending changes have the values of the row.
    #expect(ada.age == 2 && ada.notes == "pending")
    #expect(try fixture.other.all(Person.self).map(\.name) == ["ada", "zoe", "ben", "cleo"])
    // On save, the pending model conflicts with the row of its name.
    try context.save()
    let saved = try fixture.other.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(saved.map(\.name) == ["ada", "ben", "cleo"])
    #expect(saved.map(\.age) == [2, 5, 30])
    #expect(saved.map(\.notes) == ["pending", nil, nil])
    #expect(saved[2].mentor == nil)
  }

  @Test func aBatchPostsOneNotification() throws {
    let fixture = try BatchFixture()
    let old = try fixture.context.insert(contentsOf: [Person.Snapshot(name: "a")]).identifiers[0]
    nonisolated(unsafe) var posts: [[AnyHashable: Any]] = []
    nonisolated(unsafe) var announcements = 0
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: fixture.context, queue: nil
    ) { posts.append($0.userInfo ?? [:]) }
    let other = NotificationCenter.default.addObserver(
      forName: ModelContext.willSave, object: fixture.context, queue: nil
    ) { _ in announcements += 1 }
    defer {
      NotificationCenter.default.removeObserver(observer)
      NotificationCenter.default.removeObserver(other)
    }
    let result = try fixture.context.upsert(
      contentsOf: ["a", "b", "c"].map { Person.Snapshot(name: $0, age: 1) })
    #expect(posts.count == 1 && announcements == 0)
    let told = posts.first?[ModelContext.BatchNotificationKey.batchResult] as? BatchResult
    #expect(told.map { Array($0.identifiers) } == Array(result.identifiers))
    #expect(
      posts.first?[ModelContext.NotificationKey.updatedIdentifiers.rawValue]
        as? [PersistentIdentifier] == [old])
    _ = failure { try fixture.context.insert(contentsOf: [Line.Snapshot(text: "", order: nil)]) }
    try fixture.context.insert(contentsOf: [Person.Snapshot]())
    #expect(posts.count == 1)
  }

  @Test func resultsObserversAreUpdated() async throws {
    let fixture = try BatchFixture()
    try await Self.observe(fixture.container)
  }

  @MainActor private static func observe(_ container: ModelContainer) throws {
    let context = container.mainContext
    let observer = try ResultsObserver<Reading, Never>(
      sortBy: [SortDescriptor(\.value)], modelContext: context)
    #expect(observer.results.isEmpty)
    try context.insert(
      contentsOf: [3, 1, 2].map { Reading.Snapshot(place: "x", value: $0) })
    observer.update()
    #expect(observer.results.map(\.value) == [1, 2, 3])
    let other = ModelContext(container)
    try other.insert(contentsOf: [Reading.Snapshot(place: "y", value: 0)])
    observer.update()
    #expect(observer.results.map(\.value) == [0, 1, 2, 3])
  }

  @Test func batchesCannotBeUndone() throws {
    let fixture = try BatchFixture()
    let undo = UndoManager()
    fixture.context.undoManager = undo
    try fixture.context.insert(contentsOf: [Reading.Snapshot(place: "a", value: 1)])
    #expect(!undo.canUndo)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try fixture.context.transaction {
        try fixture.context.insert(contentsOf: [Reading.Snapshot(place: "b", value: 1)])
        fixture.context.insert(Reading(place: "c", value: 2))
        throw Stop()
      }
    }
    fixture.context.rollback()
    #expect(try fixture.other.all(Reading.self).map(\.place) == ["a", "b"])
  }

  @Test func theSequenceCanQueryTheContext() throws {
    let fixture = try BatchFixture()
    let context = fixture.context
    let mentor = Person(name: "m")
    context.insert(mentor)
    try context.save()
    let key = mentor.persistentModelID
    try context.insert(
      contentsOf: (0..<10).lazy.map { number in
        // The query sees the state of the store before the batch.
        let count = (try? context.fetchCount(FetchDescriptor<Person>())) ?? -1
        return Person.Snapshot(name: "p\(number)", age: count, mentor: key)
      })
    #expect(mentor.pupils.count == 10)
    #expect(mentor.pupils.allSatisfy { $0.age == 1 })
  }

  @Test func readOnlyStoresRejectBatches() throws {
    let fixture = try BatchFixture()
    try fixture.context.insert(contentsOf: [Reading.Snapshot(place: "a", value: 1)])
    let container = try BatchFixture.container(
      ModelConfiguration(
        url: fixture.folder.appending(path: "batch.store"), allowsSave: false))
    let error = failure {
      try ModelContext(container).insert(contentsOf: [Reading.Snapshot(place: "b", value: 1)])
    }
    #expect(error == .loadIssueModelContainer)
  }
}
