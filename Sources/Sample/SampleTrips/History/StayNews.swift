import Foundation
import Trellis

/// What somebody has changed about places to stay, read from the history.
struct StayNews {
  /// Holds the trips that are found.
  private let context: ModelContext

  init(_ container: ModelContainer) { context = ModelContext(container) }

  /// What an author has saved after a position; without one, all there is.
  func transactions(
    after token: DefaultHistoryToken?, author: String
  ) throws -> [DefaultHistoryTransaction] {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
      predicate: #Predicate { $0.author == author })
    if let token {
      descriptor.predicate = #Predicate { $0.token > token && $0.author == author }
    }
    return try context.fetchHistory(descriptor)
  }

  /// The trips whose place to stay was added or changed, in the order of their days.
  func trips(in transactions: [DefaultHistoryTransaction]) throws -> [Trip] {
    var trips: Set<Trip> = []
    for change in transactions.flatMap(\.changes) {
      switch change {
      case .insert(is DefaultHistoryInsert<LivingAccommodation>),
        .update(is DefaultHistoryUpdate<LivingAccommodation>):
        let id = change.changedPersistentIdentifier
        let trip = #Predicate<Trip> { $0.livingAccommodation?.persistentModelID == id }
        trips.formUnion(try context.fetch(FetchDescriptor(predicate: trip)))
      default: break
      }
    }
    return trips.sorted { ($0.startDate, $0.name) < ($1.startDate, $1.name) }
  }

  /// The position after everything that was saved until now; nil where nothing is recorded.
  func now() throws -> DefaultHistoryToken? {
    var latest = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    latest.fetchLimit = 1
    return try context.fetchHistory(latest).first?.token
  }
}
