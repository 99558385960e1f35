import Foundation
import Trellis

/// Finds a trip by name, by part of the name, or by booking reference.
struct TripSelector {
  var text: String
  /// Distinguishes trips with equal names.
  var start: Date?

  init(_ arguments: Arguments) throws {
    text = try arguments.operand("NAME")
    start = try arguments.day("--start")
  }

  func trip(in session: Session, _ context: ModelContext) throws -> Trip {
    let found = try candidates(context)
    if let trip = found.first, found.count == 1 { return trip }
    guard !found.isEmpty else { throw try unknown(context) }
    var table = TripTable(session)
    for trip in found.prefix(10) { table.add(trip) }
    session.console.error(table.rendered)
    throw Failure(
      message:
        "'\(text)' matches \(found.count.of("trip"))\(found.count > 10 ? "; the first 10 are shown" : "")",
      hint: "use a longer part of the name, or add --start DATE")
  }

  private func candidates(_ context: ModelContext) throws -> [Trip] {
    let text = text
    let exact = try fetch(#Predicate { $0.name == text }, context)
    if !exact.isEmpty { return exact }
    let booked = try fetch(#Predicate { $0.livingAccommodation?.bookingReference == text }, context)
    if !booked.isEmpty { return booked }
    return try fetch(#Predicate { $0.name.localizedStandardContains(text) }, context)
  }

  private func fetch(_ predicate: Predicate<Trip>, _ context: ModelContext) throws -> [Trip] {
    let found = try context.fetch(
      FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.startDate)]))
    guard let start else { return found }
    return found.filter { $0.startDate == start }
  }

  private func unknown(_ context: ModelContext) throws -> Failure {
    let names = try context.fetch(FetchDescriptor<Trip>()).map(\.name)
    let nearest = Suggestion.nearest(to: text, in: names)
    let day = start.map { " that starts on \(Day.format($0))" } ?? ""
    return Failure(
      message: "no trip matches '\(text)'\(day)",
      hint: nearest.map { "did you mean '\($0)'?" } ?? "'trips search TEXT' searches all fields")
  }
}
