import Foundation
import Trellis

/// `trips search TEXT`: finds text in trips.
struct Search: Verb {
  static let name = "search"
  static let operands = "TEXT"
  static let summary = "find text in names, destinations, bucket lists and places to stay"
  static let discussion = "The search ignores case and accents."
  static let options = [
    Option(name: "--limit", value: "N", summary: "the maximum number of trips (default: 20; 0 for all)")
  ]
  static let examples = ["search whales", "search reykjavik --limit 5"]

  private let text: String
  private let limit: Int

  init(_ arguments: Arguments) throws {
    text = try arguments.operand("TEXT")
    limit = try arguments.count("--limit") ?? 20
  }

  func run(_ session: Session) throws {
    let context = try session.openContext()
    let text = text
    let predicate = #Predicate<Trip> { trip in
      trip.name.localizedStandardContains(text)
        || trip.destination.localizedStandardContains(text)
        || trip.bucketList.contains { $0.title.localizedStandardContains(text) }
        || (trip.livingAccommodation?.placeName.localizedStandardContains(text) ?? false)
    }
    var descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.startDate)])
    let total = try context.fetchCount(descriptor)
    descriptor.fetchLimit = limit == 0 ? nil : limit
    descriptor.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
    let trips = try context.fetch(descriptor)
    guard !trips.isEmpty else {
      session.console.print("No trip contains '\(text)'.")
      return
    }
    print(trips, of: total, session.console)
  }

  private func print(_ trips: [Trip], of total: Int, _ console: Console) {
    var table = Table([
      .left("Trip", shrinks: true, style: .bold), .left("Destination", shrinks: true),
      .left("Days"), .left("Found in", shrinks: true),
    ])
    for trip in trips {
      table.add([
        trip.name, trip.destination, Day.range(trip.startDate, trip.endDate), places(trip),
      ])
    }
    console.print(table)
    let count = trips.count == total ? total.of("trip") : "\(trips.count) of \(total.of("trip"))"
    console.print(console.styled(count, .dim))
  }

  private func places(_ trip: Trip) -> String {
    var places: [String] = []
    if trip.name.localizedStandardContains(text) { places.append("name") }
    if trip.destination.localizedStandardContains(text) { places.append("destination") }
    for item in trip.bucketList where item.title.localizedStandardContains(text) {
      places.append("bucket list: \(item.title)")
    }
    if let stay = trip.livingAccommodation?.placeName, stay.localizedStandardContains(text) {
      places.append("stay: \(stay)")
    }
    return places.joined(separator: ", ")
  }
}
