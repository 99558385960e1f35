import Foundation
import Trellis

/// `trips list`: shows trips in a table.
struct List: Verb {
  static let name = "list"
  static let summary = "show trips in a table"
  static let discussion = """
    Trips must meet all conditions. In the last column, ✓ is a confirmed place to stay, ? an unconfirmed one.
    """
  static let options = [
    Option(name: "--upcoming", value: nil, summary: "only trips that start today or later"),
    Option(name: "--from", value: "DATE", summary: "only trips that start on this day or later"),
    Option(name: "--until", value: "DATE", summary: "only trips that start on this day or before"),
    Option(name: "--destination", value: "TEXT", summary: "only trips with exactly this destination"),
    Option(name: "--purpose", value: "KIND", summary: "only trips with this purpose: \(TripKind.list)"),
    Option(name: "--unconfirmed", value: nil, summary: "only trips with an unconfirmed stay"),
    Option(
      name: "--sort", value: "ORDER", summary: "the sort order: \(Order.list) (default: start)"),
    Option(name: "--reverse", value: nil, summary: "reverse the order"),
    Option(name: "--limit", value: "N", summary: "the maximum number of trips (default: 20; 0 for all)"),
    Option(name: "--offset", value: "N", summary: "the number of trips to skip"),
  ]
  static let examples = [
    "list --upcoming --limit 5", "list --purpose business --sort budget --reverse",
  ]

  /// The sort keys for the table.
  enum Order: String, CaseIterable {
    case start, name, destination, budget

    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    func descriptors(_ order: SortOrder) -> [SortDescriptor<Trip>] {
      switch self {
      case .start: [SortDescriptor(\.startDate, order: order), SortDescriptor(\.name)]
      case .name: [SortDescriptor(\.name, order: order), SortDescriptor(\.startDate)]
      case .destination: [SortDescriptor(\.destination, order: order), SortDescriptor(\.startDate)]
      case .budget: [SortDescriptor(\.budget, order: order), SortDescriptor(\.startDate)]
      }
    }
  }

  private let from: Date?
  private let until: Date?
  private let destination: String?
  private let kind: TripKind?
  private let isUpcoming: Bool
  private let isUnconfirmed: Bool
  private let order: Order
  private let isReversed: Bool
  private let limit: Int
  private let offset: Int

  init(_ arguments: Arguments) throws {
    try arguments.noOperands()
    from = try arguments.day("--from")
    until = try arguments.day("--until")
    destination = arguments["--destination"]
    kind = try arguments.kind("--purpose")
    isUpcoming = arguments.has("--upcoming")
    isUnconfirmed = arguments.has("--unconfirmed")
    let sort = arguments["--sort"] ?? Order.start.rawValue
    guard let order = Order(rawValue: sort) else {
      throw Failure.usage("'--sort' must be one of \(Order.list), not '\(sort)'")
    }
    self.order = order
    isReversed = arguments.has("--reverse")
    limit = try arguments.count("--limit") ?? 20
    offset = try arguments.count("--offset") ?? 0
  }

  func run(_ session: Session) throws {
    let context = try session.openContext()
    var descriptor = FetchDescriptor(
      predicate: predicate(now: session.now),
      sortBy: order.descriptors(isReversed ? .reverse : .forward))
    let total = try context.fetchCount(descriptor)
    descriptor.fetchLimit = limit == 0 ? nil : limit
    descriptor.fetchOffset = offset
    descriptor.relationshipKeyPathsForPrefetching = [\.livingAccommodation]
    let trips = try context.fetch(descriptor)
    guard !trips.isEmpty else {
      session.console.print(total == 0 ? "No trips." : "No more trips (\(total.grouped) in total).")
      return
    }
    var table = TripTable(session)
    for trip in trips { table.add(trip) }
    session.console.out(table.rendered)
    session.console.print(footer(shown: trips.count, of: total, session.console))
  }

  private func footer(shown: Int, of total: Int, _ console: Console) -> String {
    let text =
      shown == total
      ? total.of("trip")
      : "\(offset + 1)–\((offset + shown).grouped) of \(total.of("trip")); use --limit and --offset to see others"
    return console.styled(text, .dim)
  }

  private func predicate(now: Date) -> Predicate<Trip> {
    let today = Day.start(of: now)
    let first = max(from ?? .distantPast, isUpcoming ? today : .distantPast)
    let last = until ?? .distantFuture
    let place = destination ?? ""
    let everywhere = destination == nil
    let kinds = kind.map { [$0] } ?? TripKind.allCases
    let confirmedToo = !isUnconfirmed
    return #Predicate { trip in
      trip.startDate >= first && trip.startDate <= last
        && (everywhere || trip.destination == place)
        && kinds.contains(trip.kind)
        && (confirmedToo || trip.livingAccommodation?.isConfirmed == false)
    }
  }
}
