import Foundation
import SampleTripsGolden
import Testing
import Trellis

@Suite struct ContextLifeCycleTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func trip(_ name: String = "Fjords", _ destination: String = "Bergen") -> Trip {
    Trip(
      name: name, destination: destination, startDate: Date(timeIntervalSinceReferenceDate: 1000),
      endDate: Date(timeIntervalSinceReferenceDate: 2000))
  }

  @Test func S049_aNewContextIsEmpty() throws {
    let model = trip()
    context.insert(model)
    try context.save()
    let other = ModelContext(container)
    #expect((other.registeredModel(for: model.persistentModelID) as Trip?) == nil)
    let found = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    #expect(found !== model)
    let known: Trip? = other.registeredModel(for: model.persistentModelID)
    #expect(known === found)
  }

  @Test func S050_S051_insertGivesATemporaryIdentifierAndSaveAPermanentOne() throws {
    let model = trip()
    #expect(model.persistentModelID.isTemporary)
    context.insert(model)
    let temporary = model.persistentModelID
    #expect(temporary.storeIdentifier == nil)
    #expect(temporary.entityName == "Trip")
    try context.save()
    #expect(!model.persistentModelID.isTemporary)
    #expect(model.persistentModelID != temporary)
    #expect(
      model.persistentModelID.storeIdentifier
        == container.storeIdentifier(forConfigurationNamed: "default"))
  }

  @Test func S052_S053_changesLiveInMemoryUntilSavedWithoutAnUpdateCall() throws {
    let model = trip()
    context.insert(model)
    try context.save()
    model.destination = "Oslo"
    let other = ModelContext(container)
    #expect(try other.fetch(FetchDescriptor<Trip>()).first?.destination == "Bergen")
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).first?.destination == "Oslo")
  }

  @Test func S054_S055_pendingArraysReflectChanges() throws {
    #expect(!context.hasChanges)
    let model = trip()
    context.insert(model)
    #expect(context.hasChanges && model.hasChanges)
    #expect(context.insertedModelsArray.count == 1)
    try context.save()
    #expect(!context.hasChanges && !model.hasChanges)
    #expect(context.insertedModelsArray.isEmpty)
    model.name = "Glaciers"
    #expect(context.changedModelsArray.count == 1)
    #expect(context.changedModelsArray.first === model)
    context.delete(model)
    #expect(context.changedModelsArray.isEmpty)
    #expect(context.deletedModelsArray.count == 1)
    try context.save()
    #expect(!context.hasChanges)
    #expect(context.deletedModelsArray.isEmpty)
  }

  @Test func S056_savingWithoutChangesIsHarmless() throws {
    try context.save()
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
  }

  @Test func S057_deletedModelsDisappearAndUnsavedOnesAreDropped() throws {
    let saved = trip("saved")
    context.insert(saved)
    try context.save()
    let unsaved = trip("unsaved")
    context.insert(unsaved)
    context.delete(unsaved)
    #expect(!context.hasChanges)
    context.delete(saved)
    #expect(try context.fetch(FetchDescriptor<Trip>()).isEmpty)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
    #expect(saved.isDeleted)
    #expect(saved.modelContext == nil)
    #expect(saved.name == "saved")
  }

  @Test func writesToADeletedModelAreRejected() throws {
    let model = trip()
    context.insert(model)
    try context.save()
    context.delete(model)
    model.name = "other"
    #expect(model.name == "Fjords")
    try context.save()
    model.name = "other"
    #expect(model.name == "Fjords")
    #expect(model.isDeleted)
  }

  @Test func S058_S059_rollbackRestoresEverything() throws {
    let saved = trip()
    saved.bucketList = [BucketListItem(title: "Ferry")]
    context.insert(saved)
    try context.save()
    saved.destination = "Oslo"
    saved.bucketList = []
    let dropped = trip("dropped")
    context.insert(dropped)
    let doomed = try #require(try context.fetch(FetchDescriptor<BucketListItem>()).first)
    context.delete(doomed)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(saved.destination == "Bergen")
    #expect(saved.bucketList.map(\.title) == ["Ferry"])
    #expect(!doomed.isDeleted)
    #expect(doomed.trip === saved)
    #expect(dropped.modelContext == nil)
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
  }

  @Test func S061_transactionsSaveOnceAndRollBackOnErrors() throws {
    struct Stop: Error {}
    try context.transaction { context.insert(trip("first")) }
    #expect(!context.hasChanges)
    let first = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    first.destination = "before"
    #expect(throws: Stop.self) {
      try context.transaction {
        first.destination = "inside"
        context.insert(trip("second"))
        throw Stop()
      }
    }
    #expect(first.destination == "before")
    #expect(context.insertedModelsArray.isEmpty)
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
  }

  @Test func S062_deletionByTypeAndPredicate() throws {
    for index in 0..<10 { context.insert(trip("trip \(index)", index < 4 ? "Oslo" : "Bergen")) }
    try context.save()
    try context.delete(model: Trip.self, where: #Predicate { $0.destination == "Oslo" })
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 6)
    try context.delete(model: Trip.self)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
  }

  @Test func S066_S067_modelsByIdentifier() throws {
    let model = trip()
    context.insert(model)
    try context.save()
    #expect(context.model(for: model.persistentModelID) as AnyObject === model)
    #expect((context.registeredModel(for: model.persistentModelID) as BucketListItem?) == nil)
    let other = ModelContext(container)
    #expect((other.model(for: model.persistentModelID) as? Trip)?.name == "Fjords")
    let unknown = try PersistentIdentifier.identifier(
      for: try #require(model.persistentModelID.storeIdentifier), entityName: "Trip",
      primaryKey: 987_654)
    let placeholder = try #require(other.model(for: unknown) as? Trip)
    #expect(placeholder.persistentModelID == unknown)
    #expect(placeholder.name == "")
    #expect(placeholder.bucketList.isEmpty)
    #expect(placeholder.livingAccommodation == nil)
  }

  @Test func S068_S069_S070_notificationsCarryIdentifiers() throws {
    let events = Events(context)
    let model = trip()
    context.insert(model)
    try context.save()
    #expect(events.names == ["will", "did"])
    #expect(events.identifiers(.insertedIdentifiers) == [model.persistentModelID])
    model.name = "Glaciers"
    try context.save()
    #expect(events.identifiers(.updatedIdentifiers) == [model.persistentModelID])
    let identifier = model.persistentModelID
    context.delete(model)
    try context.save()
    #expect(events.identifiers(.deletedIdentifiers) == [identifier])
    #expect(events.names.count == 6)
  }

  /// The notifications of a context.
  private final class Events {
    private(set) var names: [String] = []
    private var last: [AnyHashable: Any] = [:]
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: ModelContext) {
      let center = NotificationCenter.default
      nonisolated(unsafe) let events = self
      tokens = [
        center.addObserver(forName: ModelContext.willSave, object: context, queue: nil) { _ in
          events.names.append("will")
        },
        center.addObserver(forName: ModelContext.didSave, object: context, queue: nil) { note in
          events.names.append("did")
          events.last = note.userInfo ?? [:]
        },
      ]
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func identifiers(_ key: ModelContext.NotificationKey) -> Set<PersistentIdentifier> {
      last[key] as? Set<PersistentIdentifier> ?? []
    }
  }

  @Test func S129_contextsSeeEachOthersSaves() throws {
    let model = trip()
    context.insert(model)
    try context.save()
    let other = ModelContext(container)
    let twin = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    model.destination = "Oslo"
    model.bucketList.append(BucketListItem(title: "Ferry"))
    try context.save()
    #expect(try other.fetch(FetchDescriptor<Trip>()).first === twin)
    #expect(twin.destination == "Oslo")
    #expect(twin.bucketList.map(\.title) == ["Ferry"])
    context.delete(model)
    try context.save()
    #expect(try other.fetch(FetchDescriptor<Trip>()).isEmpty)
    #expect(twin.isDeleted)
  }

  @Test func unreferencedModelsAreReleased() throws {
    for index in 0..<100 { context.insert(trip("trip \(index)")) }
    try context.save()
    weak var first: Trip?
    do {
      let all = try context.fetch(FetchDescriptor<Trip>())
      first = all.first
      #expect(first != nil)
    }
    #expect(first == nil)
    #expect(context.debugDescription.hasSuffix("registered: 0)"))
  }

  @Test func modelsRetainTheirContext() throws {
    var scratch: ModelContext? = ModelContext(container)
    let model = trip()
    model.bucketList = [BucketListItem(title: "Ferry")]
    scratch?.insert(model)
    try scratch?.save()
    let read = try #require(try scratch?.fetch(FetchDescriptor<BucketListItem>()).first)
    scratch = nil
    #expect(model.modelContext != nil && model.modelContext === read.modelContext)
    #expect(model.name == "Fjords")
    #expect(read.title == "Ferry")
    #expect(read.trip === model)
    model.name = "still writable"
    #expect(model.name == "still writable")
  }
}
