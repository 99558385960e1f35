import Foundation
import Observation
import Synchronization
import Testing
import Trellis

@testable import SampleTrips

/// Compiles and tests the code of the article on history.
struct HistoryArticleTests {
  private let folder: URL
  private let container: ModelContainer
  private let context: ModelContext
  private var url: URL { folder.appending(path: "trips.store") }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "trips-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    container = try TripsStore.container(
      TripsStore.configuration(folder.appending(path: "trips.store").path))
    context = ModelContext(container)
  }

  private func save(_ name: String, by author: String?, _ context: ModelContext? = nil) throws -> Trip {
    let context = context ?? self.context
    context.author = author
    let trip = Trip(
      name: name, destination: "Oslo", startDate: Date(timeIntervalSinceReferenceDate: 0),
      endDate: Date(timeIntervalSinceReferenceDate: 86_400))
    context.insert(trip)
    try context.save()
    return trip
  }

  private func news(_ file: URL) throws -> [DefaultHistoryTransaction] {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let data = try? Data(contentsOf: file) {
      let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: data)
      descriptor.predicate = #Predicate { $0.token > token && $0.author != "import" }
    }
    let transactions = try context.fetchHistory(descriptor)
    if let last = transactions.last { try JSONEncoder().encode(last.token).write(to: file) }
    return transactions
  }

  @Test func changesSinceTheLastToken() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "token")
    _ = try save("a", by: nil)
    _ = try save("b", by: "widget")
    #expect(try news(file).map(\.author) == [nil, "widget"])
    #expect(try news(file).isEmpty)
    _ = try save("c", by: "import")
    _ = try save("d", by: "widget")
    #expect(try news(file).map(\.author) == ["widget"])
    #expect(try context.fetchHistory(latest).map(\.author) == ["widget"])
  }

  private var latest: HistoryDescriptor<DefaultHistoryTransaction> {
    var latest = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    latest.fetchLimit = 1
    return latest
  }

  @Test func tombstonesPreserveValues() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let trip = try save("a", by: nil)
    trip.budget = 5
    try context.save()
    trip.startDate += 1
    try context.save()
    context.delete(trip)
    try context.save()
    var told: [String] = []
    for change in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes) {
      switch change {
      case .insert(let insert as DefaultHistoryInsert<Trip>):
        told.append("welcome \(insert.changedPersistentIdentifier.entityName)")
      case .update(let update as DefaultHistoryUpdate<Trip>) where update.containsAttribute(\.startDate):
        told.append("warn \(update.changedPersistentIdentifier.entityName)")
      case .delete(let deletion as DefaultHistoryDelete<Trip>):
        told.append("mourn \(deletion.tombstone[\.name] as? String ?? "")")
      default: break
      }
    }
    #expect(told == ["welcome Trip", "warn Trip", "mourn a"])
  }

  @Test func deletionAndExpiredTokens() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try save("a", by: nil)
    var token = try context.fetchHistory(latest).first?.token
    _ = try save("b", by: nil)
    let lastMonth = Date.distantFuture
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.timestamp < lastMonth }))
    _ = try save("c", by: nil)
    var isRead = false
    func news() throws -> [DefaultHistoryTransaction] {
      guard let position = token else { return [] }
      return try context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > position }))
    }
    do {
      _ = try news()
    } catch SwiftDataError.historyTokenExpired {
      token = try context.history.latestToken()
      isRead = try context.fetch(FetchDescriptor<Trip>()).count == 3
    }
    #expect(isRead && token != nil)
    #expect(try news().isEmpty)
    var configuration = ModelConfiguration(url: url)
    configuration.history.retention = .age(.seconds(30 * 24 * 3600))
    configuration.history.retention = .newest(1000)
    configuration.history.isRecorded = false
    _ = try save("d", by: nil, ModelContext(TripsStore.container(configuration)))
    #expect(throws: SwiftDataError.historyTokenExpired) {
      _ = try TripsStore.container(TripsStore.configuration(url.path))
      _ = try news()
    }
  }

  @Test func savesWithoutHistory() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    context.recordsHistory = false
    try context.insert(contentsOf: [BucketListItem.Snapshot(title: "Dom")])
    context.recordsHistory = true
    let transaction = try #require(context.fetchHistory(latest).first)
    #expect(transaction.changes.isEmpty && !transaction.isComplete)
  }

  @Test @MainActor func otherProcesses() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let observer = try HistoryObserver(
      observedModels: [LivingAccommodation.self], authors: ["widget"], modelContainer: container)
    let calls = Mutex(0)
    withObservationTracking {
      _ = observer.eventCounter
    } onChange: {
      calls.withLock { $0 += 1 }
    }
    // Another container simulates another program.
    let other = ModelContext(try TripsStore.container(TripsStore.configuration(url.path)))
    other.author = "widget"
    other.insert(
      LivingAccommodation(placeName: "Park", address: Address(street: "", city: "Oslo", country: "")))
    try other.save()
    // Other tests can occupy the main actor for minutes, so this counts turns.
    for _ in 0..<12_000 where observer.eventCounter == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(observer.eventCounter == 1 && calls.withLock { $0 } == 1)
  }
}
