import Foundation
import Trellis

/// Reads changes to accommodations from the history.
struct StayNews {
  /// The context that registers the trips.
  private let context: ModelContext

  init(_ container: ModelContainer) { context = ModelContext(container) }

  /// Fetches an author's transactions after a position, or all transactions if there is no position.
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

  /// The trips with a new or changed accommodation, sorted by date.
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

  /// The position after all previous saves; nil if the history is empty.
  func now() throws -> DefaultHistoryToken? {
    var latest = HistoryDescriptor<DefaultHistoryTransaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    latest.fetchLimit = 1
    return try context.fetchHistory(latest).first?.token
  }
}
