import Foundation
import Trellis

/// `trips show NAME`: shows a trip's details.
struct Show: Verb {
  static let name = "show"
  static let operands = "NAME"
  static let summary = "show a trip's details"
  static let discussion = "NAME is the trip's name, a part of it, or a booking reference."
  static let options: [Option] = [.start]
  static let examples = ["show \"Whales off Húsavík\"", "show BR-7F3K2Q"]

  private let selector: TripSelector

  init(_ arguments: Arguments) throws { selector = try TripSelector(arguments) }

  func run(_ session: Session) throws {
    let context = try session.openContext()
    TripPage(trip: try selector.trip(in: session, context)).print(session.console)
  }
}
