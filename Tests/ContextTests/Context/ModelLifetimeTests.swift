import Foundation
import InheritanceGolden
import RelationshipsGolden
import SampleTripsGolden
import TestStores
import Testing
import Trellis

/// A registered model retains the state of its context, which is released with the last model and the last context.
@Suite struct ModelLifetimeTests {
  /// The weak reference shows whether a context, which retains its container, still exists.
  private final class Setting {
    private(set) var container: ModelContainer?
    weak var left: ModelContainer?

    init(trips: [String] = []) throws {
      let container = try ModelContainer(
        for: Schema([Trip.self, Library.self, Journey.self, ConferenceJourney.self]),
        configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
      self.container = container
      left = container
      let context = ModelContext(container)
      for name in trips {
        let trip = trip(name)
        trip.bucketList = [BucketListItem(title: "\(name) 1"), BucketListItem(title: "\(name) 2")]
        context.insert(trip)
      }
      try context.save()
    }

    func context() throws -> ModelContext { ModelContext(try #require(container)) }

    /// The models of a context without other references.
    func load<T: PersistentModel>(_ sort: any KeyPath<T, String> & Sendable) throws -> [T] {
      try context().fetch(FetchDescriptor<T>(sortBy: [SortDescriptor(sort)]))
    }

    func names() throws -> [String] { try load(\Trip.name).map(\.name) }
    func titles() throws -> [String] { try load(\BucketListItem.title).map(\.title) }

    /// Releases the container, which contexts retain.
    func isReleased() -> Bool {
      container = nil
      return left == nil
    }
  }

  // MARK: Reading

  @Test func modelsOfAReleasedContextReadTheirRelationships() throws {
    let setting = try Setting(trips: ["a", "b"])
    let trips: [Trip] = try setting.load(\.name)
    #expect(trips.map(\.bucketList.count) == [2, 2])
    let items: [BucketListItem] = try setting.load(\.title)
    #expect(items.map { $0.trip?.name } == ["a", "a", "b", "b"])
    #expect(items[0].trip === items[1].trip)
  }

  @Test func filtersOverModelsOfATemporaryContextReadTheirLists() throws {
    let setting = try Setting(trips: ["a"])
    let busy = try setting.context().fetch(FetchDescriptor<Trip>()).filter { !$0.bucketList.isEmpty }
    #expect(busy.map(\.name) == ["a"])
  }

  @Test func omittedAttributesAreReadAfterTheContextIsReleased() throws {
    let setting = try Setting(trips: ["a"])
    var descriptor = FetchDescriptor<Trip>()
    descriptor.propertiesToFetch = [\.name]
    let trip = try #require(try setting.context().fetch(descriptor).first)
    #expect(trip.destination == "Bergen" && trip.name == "a")
  }

  @Test func modelContextIsStableWhileRetained() throws {
    let setting = try Setting(trips: ["a", "b"])
    let trips: [Trip] = try setting.load(\.name)
    let context = try #require(trips[0].modelContext)
    #expect(trips[1].modelContext === context && trips[1].bucketList[0].modelContext === context)
    #expect(try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])) == trips)
  }

  // MARK: Saving

  @Test func aChangeIsSavedThroughTheModelAfterTheContextIsReleased() throws {
    let setting = try Setting(trips: ["a", "b"])
    let trips: [Trip] = try setting.load(\.name)
    for trip in trips { trip.name += "!" }
    #expect(trips[0].hasChanges && trips[0].modelContext?.hasChanges == true)
    try trips[1].modelContext?.save()
    #expect(try setting.names() == ["a!", "b!"] && !trips[0].hasChanges)
    trips[0].name = "c"
    try trips[0].modelContext?.save()
    #expect(try setting.names() == ["b!", "c"])
  }

  /// Makes all kinds of changes and returns all models of the context.
  private func change(_ context: ModelContext) throws -> [any PersistentModel] {
    let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    let items = trips.flatMap(\.bucketList)
    trips[1].name = "changed"
    trips[1].bucketList.append(BucketListItem(title: "added"))
    trips[2].bucketList.removeFirst()
    trips[2].bucketList[0].title = "renamed"
    context.delete(trips[3])
    let new = trip("new")
    new.bucketList = [BucketListItem(title: "of new 1"), BucketListItem(title: "of new 2")]
    context.insert(new)
    return trips + items + [new]
  }

  @Test(arguments: [false, true]) func changesOfRetainedModelsAreSavedThroughAnyOfThem(isChanged: Bool) throws {
    let (setting, expected) = (try Setting(trips: ["a", "b", "c", "d"]), try Setting(trips: ["a", "b", "c", "d"]))
    let models = try change(setting.context())
    let left = try #require(models[0] as? Trip)
    let context = try expected.context()
    let kept = try #require(try change(context)[0] as? Trip)
    if isChanged { (left.name, kept.name) = ("A", "A") }
    try left.modelContext?.save()
    try context.save()
    #expect(try setting.names() == expected.names() && setting.names().contains("new"))
    #expect(try setting.titles() == expected.titles() && setting.titles().contains("added"))
    #expect(left.modelContext?.hasChanges == false && models.count == 13)
  }

  @Test func fetchesSeeChangesOfRetainedModels() throws {
    let setting = try Setting(trips: ["a", "b", "c", "d"])
    let models = try change(setting.context())
    let context = try #require(models[0].modelContext)
    let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    #expect(trips.map(\.name) == ["a", "c", "changed", "new"])
    #expect(trips[2].bucketList.map(\.title) == ["b 1", "b 2", "added"])
    #expect(trips[2].bucketList[2].trip === trips[2])
    #expect(trips[3].bucketList.map(\.title) == ["of new 1", "of new 2"])
    #expect(trips[1].bucketList.map(\.title) == ["renamed"])
    context.rollback()
    #expect(try context.fetch(FetchDescriptor<Trip>()).count == 4 && trips[2].name == "b")
  }

  @Test func unsavedChangesOfReleasedModelsAreReported() throws {
    let setting = try Setting(trips: ["a", "b", "c"])
    IssueLog.start()
    func make() throws -> Trip {
      let context = try setting.context()
      let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
      trips[0].name = "x"
      trips[1].name = "y"
      context.delete(trips[2])
      for number in 0..<89 { context.insert(ModelLifetimeTests.other("new \(number)")) }
      return trips[0]
    }
    var trip: Trip? = try make()
    // No other test loses as many.
    #expect(IssueLog.contains { if case .unsavedChanges(91) = $0 { true } else { false } })
    #expect(trip?.modelContext?.hasChanges == true)
    trip?.modelContext?.insert(ModelLifetimeTests.other("other"))
    try trip?.modelContext?.save()
    #expect(try setting.names() == ["b", "c", "x"])
    trip?.name = "z"
    trip = nil
    #expect(setting.isReleased())
  }

  private static func other(_ name: String) -> Trip { trip(name) }

  @Test func rollbackThroughAModelRestoresSavedValues() throws {
    let setting = try Setting(trips: ["a"])
    let trip = try #require(try setting.load(\Trip.name).first)
    trip.name = "b"
    trip.bucketList = []
    trip.modelContext?.rollback()
    #expect(trip.name == "a" && trip.bucketList.count == 2 && !trip.hasChanges)
  }

  @Test func orderedListsKeepTheirOrderAfterTheContextIsReleased() throws {
    let setting = try Setting()
    func make() throws -> Library {
      let context = try setting.context()
      let readers = ["a", "b", "c"].map { reader($0) }
      let library = Library(readers: readers)
      context.insert(library)
      try context.save()
      library.readers = [readers[2], readers[0], readers[1]]
      return library
    }
    let held = try make()
    try held.modelContext?.save()
    let libraries = try setting.context().fetch(FetchDescriptor<Library>())
    #expect(libraries[0].readers.map(\.name) == ["c", "a", "b"])
  }

  // MARK: Release

  /// The unsaved state when a program releases all references.
  enum Leftover: CaseIterable {
    case nothing, change, insertion, deletion, savedDeletion, list, undo, autosave, draft, rollback, cycle, transaction
  }

  private func leave(_ leftover: Leftover, in context: ModelContext) throws -> [any PersistentModel] {
    let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    let items = trips.flatMap(\.bucketList)
    switch leftover {
    case .nothing: break
    case .change: trips[0].name = "x"
    case .insertion: context.insert(trip("x"))
    case .deletion: context.delete(trips[0])
    case .list: trips[0].bucketList.append(trips[1].bucketList[0])
    case .undo:
      context.undoManager = UndoManager()
      trips[0].name = "x"
      context.processPendingChanges()
      context.delete(trips[1])
      context.processPendingChanges()
    case .autosave:
      context.autosaveEnabled = true
      trips[0].name = "x"
    case .draft: trips[0].bucketList = [BucketListItem(title: "draft")]
    case .savedDeletion:
      context.delete(trips[0])
      try context.save()
    case .rollback:
      context.insert(trip("x"))
      context.rollback()
    case .cycle:
      let (one, two) = (reader("one"), reader("two"))
      one.friends = [two]
      two.friends = [one]
      context.insert(one)
    case .transaction:
      struct Stop: Error {}
      try? context.transaction {
        trips[0].bucketList = []
        trips[1].bucketList.append(trips[0].bucketList.first ?? BucketListItem(title: "x"))
        throw Stop()
      }
    }
    return trips + items
  }

  @Test(arguments: Leftover.allCases, [true, false])
  func everythingIsReleasedWithAContextAndItsModels(_ leftover: Leftover, contextGoesFirst: Bool) throws {
    let setting = try Setting(trips: ["a", "b"])
    var context: ModelContext? = try setting.context()
    var models = try context.map { try leave(leftover, in: $0) } ?? []
    if contextGoesFirst {
      context = nil
      #expect(models.allSatisfy { $0.modelContext != nil || leftover == .savedDeletion })
      // Release them one after the other, changed models first.
      while !models.isEmpty { models.removeFirst() }
    } else {
      models = []
      context = nil
    }
    #expect(context == nil && setting.isReleased())
  }

  /// An operation through a model whose context the program has released.
  enum Step: CaseIterable {
    case saveDeletion, readListOfReleasedModel, insertElsewhere, rollBackInsertion, failTransaction, undo
  }

  @Test(arguments: Step.allCases)
  func everythingIsReleasedWithTheLastModelOfAReleasedContext(_ step: Step) throws {
    let setting = try Setting(trips: ["a", "b"])
    func act() throws {
      let first = try #require(try setting.load(\Trip.name).first)
      let context = try #require(first.modelContext)
      switch step {
      case .saveDeletion:
        context.delete(first)
        try context.save()
      case .readListOfReleasedModel:
        func second() throws -> Trip {
          let found = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "b" }))
          return found[0]
        }
        do {
          let released = try second()
          released.destination = "Oslo"
        }
        #expect(try second().bucketList.count == 2 && second().destination == "Oslo")
      case .insertElsewhere: try setting.context().insert(first)
      case .rollBackInsertion:
        context.insert(trip("new"))
        context.rollback()
      case .failTransaction:
        struct Stop: Error {}
        first.bucketList.append(BucketListItem(title: "x"))
        try? context.transaction {
          first.bucketList = []
          throw Stop()
        }
        #expect(first.bucketList.count == 3)
      case .undo:
        let manager = UndoManager()
        context.undoManager = manager
        first.name = "x"
        manager.undo()
        #expect(first.name == "a" && first.bucketList.count == 2)
        first.name = "y"
        context.processPendingChanges()
      }
    }
    try act()
    #expect(setting.isReleased())
  }

  @Test func insertingADraftMovesModelsOfReleasedContexts() throws {
    let setting = try Setting(trips: ["a", "b"])
    let items: [BucketListItem] = try setting.load(\.title)
    let others: [BucketListItem] = try setting.load(\.title)
    let new = trip("new")
    new.bucketList = [items[0], others[3]]
    let context = try setting.context()
    context.insert(new)
    try context.save()
    let stored = try #require(try setting.load(\Trip.name).last)
    #expect(stored.name == "new" && stored.bucketList.map(\.title).sorted() == ["a 1", "b 2"])
  }

  @Test func theNotificationsContextIsUsableDuringRelease() throws {
    let setting = try Setting(trips: ["a"])
    nonisolated(unsafe) var kept: ModelContext?
    let container = setting.container
    let token = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: nil, queue: nil) { note in
      guard let context = note.object as? ModelContext, context.container == container else { return }
      kept = context
    }
    defer { NotificationCenter.default.removeObserver(token) }
    do {
      let context = try setting.context()
      context.autosaveEnabled = true
      context.insert(trip("b"))
    }
    func all() throws -> [Trip] {
      defer { kept = nil }
      return try #require(kept).fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    }
    #expect(try all().map(\.bucketList.count) == [2, 0])
  }

  @Test func theLastChangedModelReleasesTheContext() throws {
    let setting = try Setting(trips: ["a", "b"])
    var trips: [Trip] = try setting.load(\.name)
    for trip in trips { trip.bucketList = [] }
    _ = try trips[0].modelContext?.fetch(FetchDescriptor<BucketListItem>())
    trips.removeLast()
    #expect(trips[0].modelContext?.changedModelsArray.isEmpty == false)
    trips = []
    #expect(setting.isReleased())
  }

  @MainActor @Test func modelsRetainTheMainContextOfAReleasedContainer() throws {
    let setting = try Setting(trips: ["a"])
    var trip: Trip? = try setting.container?.mainContext.fetch(FetchDescriptor<Trip>()).first
    #expect(!setting.isReleased() || trip != nil)
    #expect(trip?.bucketList.count == 2)
    weak let context = trip?.modelContext
    trip = nil
    #expect(context == nil && setting.isReleased())
  }

  // MARK: Autosave

  @Test func autosaveWithoutAnActorSavesOnRelease() throws {
    let setting = try Setting(trips: ["a"])
    func change() throws {
      let context = try setting.context()
      context.autosaveEnabled = true
      try context.fetch(FetchDescriptor<Trip>())[0].name = "b"
      context.insert(trip("c"))
    }
    try change()
    #expect(try setting.names() == ["b", "c"])
  }
}
