import Foundation
import Trellis

/// `trips confirm NAME`: records a confirmed accommodation.
struct Confirm: Verb {
  static let name = "confirm"
  static let operands = "NAME"
  static let summary = "record that the place to stay is confirmed"
  static let discussion = "NAME is the trip's name, a part of it, or a booking reference."
  static let options: [Option] = [
    .start, Option(name: "--undo", value: nil, summary: "record that it is not confirmed"),
  ]
  static let examples = ["confirm BR-7F3K2Q", "confirm \"Northern lights\" --undo"]

  private let selector: TripSelector
  private let isConfirmed: Bool

  init(_ arguments: Arguments) throws {
    selector = try TripSelector(arguments)
    isConfirmed = !arguments.has("--undo")
  }

  func run(_ session: Session) throws {
    let context = try session.openContext()
    let trip = try selector.trip(in: session, context)
    guard let stay = trip.livingAccommodation else {
      throw Failure(message: "'\(trip.name.printable)' has no place to stay yet")
    }
    let word = isConfirmed ? "confirmed" : "not confirmed"
    guard stay.isConfirmed != isConfirmed else {
      session.console.print("\(stay.placeName.printable) was already \(word).")
      return
    }
    stay.isConfirmed = isConfirmed
    try context.save()
    session.console.print(
      "\(stay.placeName.printable), \(Day.range(trip.startDate, trip.endDate)): \(word).")
  }
}
