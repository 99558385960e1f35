import Foundation

/// A table with one row per trip.
struct TripTable {
  private var table: Table
  private let session: Session

  init(_ session: Session) {
    self.session = session
    table = Table([
      .left("Trip", shrinks: true, style: .bold), .left("Destination", shrinks: true),
      .left("Days"), .right("Nights"), .left("Purpose", style: .cyan), .right("Budget"),
      .left("Stay", shrinks: true),
    ])
  }

  mutating func add(_ trip: Trip) {
    table.add([
      trip.name, trip.destination, Day.range(trip.startDate, trip.endDate), "\(trip.nights)",
      trip.kind.rawValue, trip.budget.map(Money.format) ?? "–", Self.stay(trip),
    ])
  }

  var rendered: String {
    table.render(width: session.console.width, isColored: session.console.isColored)
  }

  private static func stay(_ trip: Trip) -> String {
    guard let stay = trip.livingAccommodation else { return "–" }
    return (stay.isConfirmed ? "✓ " : "? ") + stay.placeName
  }
}
