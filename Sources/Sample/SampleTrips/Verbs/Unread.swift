import Foundation
import Trellis

/// `trips unread`: shows the changes that the widget made since the last call.
struct Unread: Verb {
  static let name = "unread"
  static let summary = "show changes made by the widget since the last call"
  static let discussion = """
    A trip is shown once after the widget has changed its place to stay. The history position is kept in
    a small file next to the store.
    """
  static let options: [Option] = []
  static let examples = ["unread"]

  init(_ arguments: Arguments) throws { try arguments.noOperands() }

  func run(_ session: Session) throws {
    let news = StayNews(try session.historyContainer())
    let seen = SeenToken(besideStore: session.path)
    // Read the position first, so that concurrent changes are shown next time.
    let now = try news.now()
    do {
      let transactions = try news.transactions(after: seen.read(), author: "widget")
      let trips = try news.trips(in: transactions)
      for trip in trips { session.console.print(line(trip, session.console)) }
      if trips.isEmpty { session.console.print("Nothing new.") }
      try seen.write([now, transactions.last?.token].compactMap(\.self).max())
    } catch SwiftDataError.historyTokenExpired {
      session.console.print(
        "Part of the history since the last call was deleted, so the new changes are unknown.\n"
          + "'trips list' shows all trips; later changes are shown here again.")
      try seen.write(now)
    }
  }

  private func line(_ trip: Trip, _ console: Console) -> String {
    let name = console.styled(trip.name.printable, .bold)
    let text = "\(console.styled("●", .cyan)) \(name), \(Day.range(trip.startDate, trip.endDate))"
    guard let stay = trip.livingAccommodation else { return text }
    return "\(text): \(stay.placeName.printable), \(stay.isConfirmed ? "confirmed" : "not confirmed")"
  }
}
