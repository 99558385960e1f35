import Foundation
import Trellis

/// `trips stats`: shows totals for the store.
struct Stats: Verb {
  static let name = "stats"
  static let summary = "show totals for all trips"
  static let options = [
    Option(name: "--top", value: "N", summary: "the number of destinations to show (default: 5)")
  ]
  static let examples = ["stats", "stats --top 10"]

  private let top: Int

  init(_ arguments: Arguments) throws {
    try arguments.noOperands()
    top = try arguments.count("--top") ?? 5
  }

  func run(_ session: Session) throws {
    let context = try session.openContext()
    let trips = try context.fetch(FetchDescriptor<Trip>())
    let console = session.console
    try printCounts(trips, context, session)
    console.print()
    console.print(
      Self.table(
        "Year", groups(trips) { String(Day.year($0.startDate)) }.sorted { $0.key < $1.key }))
    console.print()
    console.print(
      Self.table("Purpose", groups(trips) { $0.kind.rawValue }.sorted { $0.key < $1.key }))
    console.print()
    let places = groups(trips) { $0.destination }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    console.print(Self.table("Destination", Array(places.prefix(top))))
  }

  private func printCounts(_ trips: [Trip], _ context: ModelContext, _ session: Session) throws {
    let today = Day.start(of: session.now)
    let upcoming = try context.fetchCount(
      FetchDescriptor<Trip>(predicate: #Predicate { $0.startDate >= today }))
    let open = try context.fetchCount(
      FetchDescriptor<LivingAccommodation>(predicate: #Predicate { !$0.isConfirmed }))
    let items = try context.fetchCount(FetchDescriptor<BucketListItem>())
    let planned = try context.fetchCount(
      FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.isInPlan }))
    session.console.print("\(trips.count.of("trip")), \(upcoming.grouped) upcoming.")
    session.console.print("\(items.of("bucket-list item")), \(planned.grouped) planned.")
    session.console.print("\(open.of("place to stay", "places to stay")) not confirmed yet.")
  }

  private func groups(_ trips: [Trip], by key: (Trip) -> String) -> [(key: String, value: [Trip])] {
    Array(Dictionary(grouping: trips, by: key))
  }

  private static func table(_ title: String, _ groups: [(key: String, value: [Trip])]) -> Table {
    var table = Table([
      .left(title, style: .bold), .right("Trips"), .right("Nights"), .right("Budget"),
    ])
    for (key, trips) in groups {
      table.add([
        key, trips.count.grouped, trips.reduce(0) { $0 + $1.nights }.grouped,
        Money.format(trips.reduce(0) { $0 + ($1.budget ?? 0) }),
      ])
    }
    return table
  }
}
