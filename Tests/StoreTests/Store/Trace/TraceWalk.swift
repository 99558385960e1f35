import CSQLite
import Foundation
import SampleTripsGolden
import Testing
import Trellis

/// Runs all operations that execute statements, one after the other.
struct TraceWalk {
  enum Place: CaseIterable, CustomTestStringConvertible {
    case file, memory
    var testDescription: String { "\(self)" }
  }

  let place: Place
  let scratch: Scratch
  let trace: (@Sendable (TracedStatement) -> Void)?
  /// Runs one operation. The second argument contains the purposes of its statements.
  let step: (String, Set<TracedStatement.Purpose>, () throws -> Void) throws -> Void

  static func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) }

  private func container(allowsSave: Bool = true) throws -> ModelContainer {
    let configuration: any DataStoreConfiguration
    switch place {
    case .file:
      var file = ModelConfiguration(url: scratch.file("trips.store"), allowsSave: allowsSave)
      file.trace = trace
      configuration = file
    case .memory:
      var memory = ModelConfiguration(isStoredInMemoryOnly: true)
      memory.trace = trace
      configuration = memory
    }
    return try ModelContainer(for: Schema([Trip.self]), configurations: [configuration])
  }

  func run() throws {
    var opened: ModelContainer?
    try step("open", [.opening]) { opened = try container() }
    guard let container = opened else { return }
    try insert(ModelContext(container))
    try fetch(container)
    try fault(container)
    try related(ModelContext(container))
    try aggregate(ModelContext(container))
    try batches(ModelContext(container))
    try save(ModelContext(container))
    try refresh(container)
    try history(ModelContext(container))
    try step("explain", [.other]) {
      _ = try FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]).explain(in: ModelContext(container))
    }
    try step("erase", [.save]) { try container.erase() }
    guard place != .memory else { return }
    try step("read only", [.opening, .count]) {
      _ = try ModelContext(self.container(allowsSave: false)).fetchCount(FetchDescriptor<Trip>())
    }
    if place == .file { try migrate() }
  }

  private func insert(_ context: ModelContext) throws {
    for number in 0..<4 {
      let trip = Trip(
        name: "t\(number)", destination: number % 2 == 0 ? "Oslo" : "Bergen", startDate: Self.day(number),
        endDate: Self.day(number + number), budget: 10, tags: ["a"], photo: Data(repeating: 7, count: 200_000))
      context.insert(trip)
      trip.bucketList = [BucketListItem(title: "a"), BucketListItem(title: "b", isInPlan: true)]
      trip.livingAccommodation = LivingAccommodation(
        placeName: "p\(number)", bookingReference: "r\(number)",
        address: SampleTripsGolden.Address(street: "s", city: "c"))
    }
    try step("insert", [.save]) { try context.save() }
  }

  private func fetch(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    var held: [Trip] = []
    try step("fetch everything", [.fetch]) { held = try context.fetch(FetchDescriptor<Trip>()) }
    try step("fetch what is registered", [.fetch]) { held = try context.fetch(FetchDescriptor<Trip>()) }
    let oslo = "Oslo"
    for round in ["a predicate", "a predicate of known form"] {
      try step(round, [.fetch]) {
        held += try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == oslo }))
      }
    }
    try step("a sorted page", [.fetch]) {
      var page = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
      page.fetchLimit = 2
      held += try context.fetch(page)
    }
    try step("a predicate in memory", [.fetch]) {
      _ = try ModelContext(container).fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.nights > 1 }))
    }
    try step("prefetching", [.fetch]) {
      var prefetching = FetchDescriptor<Trip>()
      prefetching.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
      _ = try ModelContext(container).fetch(prefetching)
    }
    if let identifier = held.first?.persistentModelID {
      try step("by identifier", [.fetch]) {
        _ = try ModelContext(container).fetch(
          FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == identifier }))
      }
    }
    try step("identifiers", [.fetch]) { _ = try context.fetchIdentifiers(FetchDescriptor<Trip>()) }
    try step("batches of a fetch", [.fetch]) {
      let trips = try ModelContext(container).fetch(FetchDescriptor<Trip>(), batchSize: 2)
      for trip in trips { _ = trip.name }
    }
    try step("enumerate", [.fetch, .fault]) {
      try ModelContext(container).enumerate(FetchDescriptor<Trip>(), batchSize: 2) { _ = $0.bucketList.count }
    }
    try step("count", [.count]) { _ = try context.fetchCount(FetchDescriptor<Trip>()) }
    try step("count by a predicate", [.count]) {
      _ = try context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == oslo }))
    }
    try step("count in memory", [.count]) {
      _ = try context.fetchCount(FetchDescriptor<Trip>(predicate: #Predicate { $0.nights > 1 }))
    }
    try step("snapshots", [.fetch]) { _ = try context.fetchSnapshots(as: Trip.Snapshot.self) }
    try step("enumerate snapshots", [.fetch]) { try context.enumerateSnapshots(as: Trip.Snapshot.self) { _ in } }
    withExtendedLifetime(held) {}
  }

  private func fault(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    var parts: [Trip] = []
    try step("some attributes", [.fetch]) {
      var descriptor = FetchDescriptor<Trip>()
      descriptor.propertiesToFetch = [\.name]
      parts = try context.fetch(descriptor)
    }
    try step("an attribute left out", [.fault]) { _ = parts.map(\.destination) }
    try step("a list", [.fault]) { _ = parts.map(\.bucketList.count) }
    try step("a to-one relationship", [.fault]) { _ = parts.map { $0.livingAccommodation?.placeName } }
    let identifiers = parts.map(\.persistentModelID)
    try step("model(for:)", [.fault]) {
      let other = ModelContext(container)
      for identifier in identifiers { _ = other.model(for: identifier) }
    }
  }

  private func related(_ context: ModelContext) throws {
    let trips = try context.fetch(FetchDescriptor<Trip>())
    guard let trip = trips.first else { return }
    let items = trip.related(\.bucketList)
    try step("related count", [.count]) { _ = try items.count }
    try step("related isEmpty", [.count]) { _ = try items.isEmpty }
    try step("related count by a predicate", [.count]) { _ = try items.filter(#Predicate { $0.isInPlan }).count }
    try step("related fetch", [.fetch]) { _ = try items.fetch() }
    try step("related first", [.fetch]) { _ = try items.first(sortedBy: SortDescriptor(\.title)) }
    try step("related aggregate", [.aggregate]) { _ = try items.aggregate(.maximum(\.title)) }
    try step("counts", [.count]) { _ = try context.counts(of: \.bucketList, in: trips) }
  }

  private func aggregate(_ context: ModelContext) throws {
    try step("aggregate", [.aggregate]) { _ = try context.aggregate(.sum(\Trip.budget)) }
    try step("groups", [.aggregate]) {
      _ = try context.groups(by: \Trip.destination, computing: .count, .sum(\Trip.budget))
    }
    try step("values", [.aggregate]) { _ = try context.values(of: \Trip.name) }
    try step("distinct values", [.aggregate]) { _ = try context.distinctValues(of: \Trip.destination) }
  }

  private func batches(_ context: ModelContext) throws {
    let new = (10..<13).map {
      Trip.Snapshot(name: "b\($0)", destination: "Bodø", startDate: Self.day($0), endDate: Self.day($0 + 1))
    }
    try step("insert snapshots", [.save]) { try context.insert(contentsOf: new) }
    try step("upsert snapshots", [.save]) { try context.upsert(contentsOf: new) }
  }

  private func save(_ context: ModelContext) throws {
    let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, order: .reverse)]))
    guard let trip = trips.first, let other = trips.dropFirst().first else { return }
    try step("update", [.save]) {
      trip.destination = "Lofoten"
      try context.save()
    }
    try step("delete with delete rules", [.save]) {
      context.delete(trip)
      try context.save()
    }
    try step("delete by a predicate", [.fetch]) {
      try context.delete(model: BucketListItem.self, where: #Predicate { $0.isInPlan })
    }
    try step("save that", [.save]) { try context.save() }
    try step("transaction", [.save]) {
      try context.transaction { context.insert(BucketListItem(title: "new", trip: other)) }
    }
    try step("insert what is there", [.save]) {
      context.insert(
        Trip(name: other.name, destination: "again", startDate: other.startDate, endDate: other.endDate))
      try context.save()
    }
  }

  private func refresh(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    let trips = try context.fetch(FetchDescriptor<Trip>())
    let others = try [ModelContext(container)] + (place == .file ? [ModelContext(self.container())] : [])
    for (round, other) in others.enumerated() {
      for trip in try other.fetch(FetchDescriptor<Trip>()) { trip.destination += "\(round)" }
      try other.save()
      try step("after another context or program, \(round)", [.refresh, .count]) {
        _ = try context.fetchCount(FetchDescriptor<Trip>())
      }
    }
    withExtendedLifetime(trips) {}
  }

  private func history(_ context: ModelContext) throws {
    try step("history", [.history]) {
      _ = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
    try step("token", [.history]) { _ = try context.history.latestToken() }
    try step("changes", [.history]) { _ = try context.history.changes() }
    try step("delete history", [.history]) {
      try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
  }

  private func migrate() throws {
    func open(
      _ schema: Schema, _ name: String, _ plan: (any SchemaMigrationPlan.Type)? = nil
    ) throws -> ModelContext {
      var configuration = ModelConfiguration(schema: schema, url: scratch.file(name))
      configuration.trace = trace
      return ModelContext(
        try ModelContainer(for: schema, migrationPlan: plan, configurations: configuration))
    }
    let old = Schema(versionedSchema: SampleTripsSchema.V2_0_0.self)
    try step("an old store", [.opening, .save]) {
      let context = try open(old, "old.store")
      for number in 0..<3 {
        context.insert(
          SampleTripsSchema.V2_0_0.Trip(
            name: "t\(number)", destination: "Oslo", startDate: Self.day(number), endDate: Self.day(number + 1),
            hotelName: "h\(number)"))
      }
      try context.save()
    }
    try step("migration by a plan", [.opening, .migration]) {
      _ = try open(
        Schema(versionedSchema: SampleTripsSchema.V3_0_0.self), "old.store", SampleTripsMigrationPlan.self)
    }
    var handle: OpaquePointer?
    sqlite3_open(scratch.file("foreign.store").path, &handle)
    sqlite3_exec(handle, "CREATE TABLE t(x)", nil, nil, nil)
    sqlite3_close(handle)
    try step("a database of another program", [.opening]) {
      #expect(throws: (any Error).self) { try open(Schema([KeepTag.self]), "foreign.store") }
    }
    try step("fewer models", [.opening]) { _ = try open(Schema([KeepTag.self]), "keeps.store") }
    try step("migration without a plan", [.opening, .migration]) {
      _ = try open(Schema([KeepTag.self, Grain.self]), "keeps.store")
    }
  }
}
