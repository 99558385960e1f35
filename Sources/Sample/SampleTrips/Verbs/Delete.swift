import Foundation
import Trellis

/// `trips delete NAME`: deletes a trip or old trips.
struct Delete: Verb {
  static let name = "delete"
  static let operands = "[NAME]"
  static let summary = "delete a trip, or all trips that ended before a day"
  static let discussion = """
    NAME is the trip's name, a part of it, or a booking reference. The bucket list and the place to
    stay are deleted with the trip.
    """
  static let options: [Option] = [
    .start,
    Option(name: "--ended-before", value: "DATE", summary: "every trip that ended before this day"),
    .dryRun,
  ]
  static let examples = [
    "delete \"Northern lights\"", "delete --ended-before 2024-01-01 --dry-run",
  ]

  private enum Choice {
    case one(TripSelector)
    case endedBefore(Date)
  }

  private let choice: Choice
  private let isDry: Bool

  init(_ arguments: Arguments) throws {
    isDry = arguments.has("--dry-run")
    if let day = try arguments.day("--ended-before") {
      try arguments.noOperands()
      choice = .endedBefore(day)
    } else {
      choice = .one(try TripSelector(arguments))
    }
  }

  func run(_ session: Session) throws {
    let context = try session.openContext()
    let before = try Counts(context)
    var what: String
    switch choice {
    case .one(let selector):
      let trip = try selector.trip(in: session, context)
      what = "'\(trip.name.printable)', \(Day.range(trip.startDate, trip.endDate))"
      context.delete(trip)
    case .endedBefore(let day):
      what = "every trip that ended before \(Day.short(day))"
      try context.delete(model: Trip.self, where: #Predicate { $0.endDate < day })
    }
    guard !isDry else {
      session.console.print("Would delete \(what).")
      return
    }
    try context.save()
    let after = try Counts(context)
    session.console.print("Deleted \(what).")
    session.console.print(
      "Removed: \((before.trips - after.trips).of("trip")), "
        + "\((before.items - after.items).of("bucket-list item")), "
        + "\((before.stays - after.stays).of("place to stay", "places to stay")). "
        + "Remaining: \(after.trips.of("trip")).")
  }

  /// Model counts by kind.
  private struct Counts {
    var trips: Int
    var items: Int
    var stays: Int

    init(_ context: ModelContext) throws {
      trips = try context.fetchCount(FetchDescriptor<Trip>())
      items = try context.fetchCount(FetchDescriptor<BucketListItem>())
      stays = try context.fetchCount(FetchDescriptor<LivingAccommodation>())
    }
  }
}
