import Foundation
import Testing
import Trellis

@testable import SampleTrips

/// SwiftData code that reads the history must compile and have the same meaning.
struct SampleCodeTests {
  private let program: Program
  private let modelContainer: ModelContainer

  init() throws {
    program = try Program()
    modelContainer = try TripsStore.container(TripsStore.configuration(program.path("trips.store")))
    for (name, booking) in [("Lights", "BR-1"), ("Audit", "BR-2"), ("Fair", "BR-3")] {
      let outcome = program.run(
        "add", name, "--destination", "Oslo", "--start", "2027-02-03", "--end", "2027-02-09", "--stay",
        "Park \(booking)", "--booking", booking)
      #expect(outcome.status == 0, "\(outcome)")
    }
  }

  /// A descriptor with a predicate that is set later, and a closure with a named transaction parameter.
  private func transactions(since token: DefaultHistoryToken?, by name: String) -> [DefaultHistoryTransaction] {
    var request = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token {
      request.predicate = #Predicate { saved in (saved.token > token) && (saved.author == name) }
    }
    let context = ModelContext(modelContainer)
    do {
      return try context.fetchHistory(request)
    } catch let error {
      Issue.record(error)
      return []
    }
  }

  /// Patterns with casts, a predicate with a relationship's identifier, and models in a set.
  private func trips(
    touchedBy transactions: [DefaultHistoryTransaction], _ context: ModelContext
  ) -> Set<Trip> {
    var touched: Set<Trip> = []
    for transaction in transactions {
      for change in transaction.changes {
        let id = change.changedPersistentIdentifier
        let request = FetchDescriptor<Trip>(
          predicate: #Predicate { candidate in candidate.livingAccommodation?.persistentModelID == id })
        guard let trip = (try? context.fetch(request))?.first else { continue }
        switch change {
        case .insert(_ as DefaultHistoryInsert<LivingAccommodation>): touched.insert(trip)
        case .update(_ as DefaultHistoryUpdate<LivingAccommodation>): touched.update(with: trip)
        case .delete(_ as DefaultHistoryDelete<LivingAccommodation>): touched.remove(trip)
        default: break
        }
      }
    }
    return touched
  }

  @Test func badgeForTripsChangedByAnotherProgram() throws {
    let context = ModelContext(modelContainer)
    let before = transactions(since: nil, by: "widget")
    #expect(trips(touchedBy: before, context).map(\.name).sorted() == ["Audit", "Fair", "Lights"])
    let data = try? JSONEncoder().encode(before.last?.token)
    let token = try #require(data.flatMap { try? JSONDecoder().decode(DefaultHistoryToken.self, from: $0) })
    #expect(transactions(since: token, by: "widget").isEmpty)

    let widget = ModelContext(modelContainer)
    widget.author = "widget"
    let stays = try widget.fetch(FetchDescriptor<LivingAccommodation>())
    try #require(stays.first { $0.bookingReference == "BR-2" }).isConfirmed = true
    try widget.save()
    _ = program.run("confirm", "BR-3")

    let news = transactions(since: token, by: "widget")
    #expect(trips(touchedBy: news, context).map(\.name) == ["Audit"])
    let last = try #require(news.last).token
    #expect(transactions(since: last, by: "widget").isEmpty)
    #expect(transactions(since: token, by: "trips").count == 1)
  }
}
