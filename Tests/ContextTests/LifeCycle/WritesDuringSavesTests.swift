import Foundation
import Observation
import Testing
import Trellis

@testable import TestWorlds

/// Writes of observers during a save are part of the save or stay pending. They are never lost.
@Suite struct WritesDuringSavesTests {
  /// The time during a save at which app code runs.
  enum Moment: CaseIterable, Sendable {
    case willSave, didSave
    /// `withObservationTracking` of a registered model to which the save assigns a new model's values.
    case upsert
    /// `withObservationTracking` of a model whose reference a delete rule clears.
    case deleteRule
    /// `withObservationTracking` of a model that another context has saved, so that the save refreshes it first.
    case commitOfAnother
    /// `withObservationTracking` of the results of an observer that is updated before or after the save.
    case resultsBefore, resultsAfter
    /// `withObservationTracking` of the results of another context's observer, which the commit notifies on this
    /// thread.
    case resultsOfAnother
  }

  /// The model that the observer changes.
  enum Subject: CaseIterable, Sendable { case changed, inserted, clean, trigger }

  let fixture: LifeCycleFixture
  let context: ModelContext

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
  }

  private func stored<M: PersistentModel>(_ model: M) throws -> M? {
    let scratch = fixture.fresh()
    return try scratch.fetch(FetchDescriptor<M>()).first {
      $0.persistentModelID == model.persistentModelID
    }
  }

  /// Calls a block at the first change of the read properties.
  private func watch(_ read: () -> Void, _ block: @escaping () -> Void) {
    nonisolated(unsafe) let block = block
    nonisolated(unsafe) var isDone = false
    withObservationTracking(read) {
      // A write to the observed property would notify again.
      guard !isDone else { return }
      isDone = true
      block()
    }
  }

  private func post(_ name: Notification.Name, _ block: @escaping () -> Void) -> any NSObjectProtocol {
    nonisolated(unsafe) let block = block
    return NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in
      block()
    }
  }

  /// Prepares a save in which a block is called once at the given time. Returns the objects to retain until then, and
  /// the observed model.
  private func arrange(
    _ moment: Moment, _ pupil: Artist, _ ticket: Ticket, _ block: @escaping () -> Void
  ) throws -> [AnyObject] {
    var isDone = false
    let once = {
      guard !isDone else { return }
      isDone = true
      block()
    }
    switch moment {
    case .willSave: return [post(ModelContext.willSave, once)]
    case .didSave: return [post(ModelContext.didSave, once)]
    case .upsert:
      watch({ _ = ticket.count }, once)
      context.insert(Ticket(code: ticket.code, count: 5))
      return []
    case .deleteRule:
      let mentor = try #require(pupil.mentor)
      context.delete(mentor)
      watch({ _ = pupil.mentor }, once)
      return []
    case .commitOfAnother:
      let other = fixture.fresh()
      let twin = try #require(
        try other.fetch(FetchDescriptor<Ticket>()).first { $0.code == ticket.code })
      twin.count = 6
      try other.save()
      watch({ _ = ticket.count }, once)
      return []
    case .resultsBefore, .resultsAfter:
      let results = try ResultsObserver<Ticket, Never>(modelContext: context)
      watch({ _ = results.results }, once)
      context.insert(Ticket(code: "more"))
      let name = moment == .resultsBefore ? ModelContext.willSave : ModelContext.didSave
      return [results, post(name) { results.update() }]
    case .resultsOfAnother:
      let results = try ResultsObserver<Ticket, Never>(modelContainer: fixture.container)
      watch({ _ = results.results }, once)
      context.insert(Ticket(code: "more"))
      return [results, post(ModelContext.didSave) { results.update() }]
    }
  }

  @Test(arguments: Moment.allCases, Subject.allCases)
  func writesDuringASaveAreSavedOrRemainPending(_ moment: Moment, _ subject: Subject) throws {
    let ticket = Ticket(code: "a", count: 1)
    let pupil = artist("pupil")
    let changed = studio("changed")
    let clean = studio("clean")
    pupil.mentor = artist("mentor")
    for model in [ticket, pupil, changed, clean] as [any PersistentModel] { context.insert(model) }
    try context.save()
    let inserted = studio("inserted")
    let target =
      switch subject {
      case .changed: changed
      case .inserted: inserted
      case .clean, .trigger: clean
      }
    let extra = studio("extra")
    var isCalled = false
    let kept = try arrange(moment, pupil, ticket) {
      isCalled = true
      if subject == .trigger {
        (ticket.count, pupil.name) = (9, "told")
      } else {
        (target.floor, target.labels) = (7, ["a"])
      }
      context.insert(extra)
    }
    changed.rating = 1
    context.insert(inserted)
    try context.save()
    defer { withExtendedLifetime(kept) {} }
    #expect(isCalled)

    for _ in 0..<2 {
      if subject == .trigger {
        #expect(ticket.count == 9 && pupil.name == "told")
        #expect(try stored(ticket)?.count == 9 || ticket.hasChanges)
        #expect(try stored(pupil)?.name == "told" || pupil.hasChanges)
      } else {
        #expect(target.floor == 7 && target.labels == ["a"])
        #expect(try stored(target)?.floor == 7 || target.hasChanges)
      }
      #expect(extra.modelContext === context)
      #expect(try stored(extra) != nil || context.hasChanges)
      try context.save()
    }
    #expect(!context.hasChanges)
    #expect(try stored(changed)?.rating == 1 && stored(inserted) != nil && stored(extra) != nil)
    if subject == .trigger {
      #expect(try stored(ticket)?.count == 9 && stored(pupil)?.name == "told")
    } else {
      #expect(try stored(target)?.floor == 7 && stored(target)?.labels == ["a"])
    }
  }

  @Test func upsertObserversCanSave() throws {
    let ticket = Ticket(code: "a", count: 1)
    let other = studio("other")
    context.insert(ticket)
    context.insert(other)
    try context.save()
    other.rating = 1
    watch({ _ = ticket.count }) { [context] in
      other.floor = 7
      try? context.save()
    }
    context.insert(Ticket(code: "a", count: 5))
    try context.save()
    #expect(!context.hasChanges)
    #expect(try stored(other)?.floor == 7 && stored(other)?.rating == 1)
  }

  @Test func upsertObserversSeeACompletedSave() throws {
    let ticket = Ticket(code: "a", count: 1)
    let second = Ticket(code: "b", count: 2)
    context.insert(ticket)
    context.insert(second)
    try context.save()
    var seen: [Int] = []
    var wasClean = false
    watch({ _ = ticket.count }) { [context] in
      seen = [ticket.count, second.count]
      wasClean = !context.hasChanges && !ticket.hasChanges
    }
    context.insert(Ticket(code: "a", count: 5))
    context.insert(Ticket(code: "b", count: 6))
    try context.save()
    #expect(seen == [5, 6] && wasClean)
  }

  @Test func failedSavesKeepWritesOfDeleteRuleObservers() throws {
    let pupil = artist("pupil")
    pupil.mentor = artist("mentor")
    let other = studio("other")
    let maker = artist("maker")
    let piece = Piece(title: "p", maker: maker)
    for model in [pupil, other, piece] as [any PersistentModel] { context.insert(model) }
    try context.save()
    context.delete(try #require(pupil.mentor))
    maker.made = []
    watch({ _ = pupil.mentor }) { (other.floor, pupil.name) = (7, "told") }
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(other.floor == 7 && other.hasChanges)
    #expect(pupil.name == "told" && pupil.hasChanges)
    maker.made = [piece]
    try context.save()
    #expect(try stored(other)?.floor == 7 && stored(pupil)?.name == "told")
  }

  @Test func deletionsByDeleteRuleObserversFollowTheRules() throws {
    let pupil = artist("pupil")
    pupil.mentor = artist("mentor")
    let other = studio("other")
    other.badge = Badge(number: 1)
    context.insert(pupil)
    context.insert(other)
    try context.save()
    context.delete(try #require(pupil.mentor))
    watch({ _ = pupil.mentor }) { [context] in context.delete(other) }
    try context.save()
    try context.save()
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Studio>()) == 0)
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Badge>()) == 0)
  }

  @Test func writesOfFetchObserversAreKept() throws {
    let model = studio("a")
    let second = studio("b")
    context.insert(model)
    context.insert(second)
    try context.save()
    let other = fixture.fresh()
    for twin in try other.fetch(FetchDescriptor<Studio>()) { (twin.floor, twin.rating) = (5, 2) }
    try other.save()
    watch({ _ = model.floor }) { (model.labels, second.labels) = (["x"], ["x"]) }
    watch({ _ = second.floor }) { (model.name, second.floor) = ("c", 8) }
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    #expect(model.labels == ["x"] && second.labels == ["x"] && second.floor == 8)
    #expect(model.floor == 5 && model.rating == 2 && second.rating == 2 && model.name == "c")
    try context.save()
    let read = try #require(try stored(second))
    #expect(read.labels == ["x"] && read.floor == 8 && read.rating == 2)
  }

  private struct Stop: Error {}

  @Test(arguments: [false, true])
  func writesOfObserversDuringARollbackAreKept(_ isTransaction: Bool) throws {
    let model = studio("a")
    let second = studio("b")
    context.insert(model)
    context.insert(second)
    try context.save()
    let change = {
      (model.floor, second.floor) = (1, 1)
      watch({ _ = model.floor }) { (model.labels, second.labels) = (["x"], ["x"]) }
      watch({ _ = second.floor }) { (model.rating, second.rating) = (3, 3) }
    }
    if isTransaction {
      #expect(throws: Stop.self) {
        try context.transaction {
          change()
          throw Stop()
        }
      }
    } else {
      change()
      context.rollback()
    }
    for model in [model, second] {
      #expect(model.floor == 0 && model.labels == ["x"] && model.rating == 3 && model.hasChanges)
    }
    try context.save()
    #expect(try stored(second)?.rating == 3 && stored(model)?.labels == ["x"])
  }
}
