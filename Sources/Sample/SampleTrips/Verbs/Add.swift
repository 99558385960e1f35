import Foundation
import Trellis

/// `trips add NAME`: plans a new trip.
struct Add: Verb {
  static let name = "add"
  static let operands = "NAME"
  static let summary = "plan a new trip"
  static let options = [
    Option(name: "--destination", value: "TEXT", summary: "the destination (required)"),
    Option(name: "--start", value: "DATE", summary: "the first day (required)"),
    Option(name: "--end", value: "DATE", summary: "the last day (required)"),
    Option(
      name: "--purpose", value: "KIND",
      summary: "\(TripKind.list) (default: personal)"),
    Option(name: "--budget", value: "AMOUNT", summary: "the budget"),
    Option(name: "--tag", value: "TEXT", summary: "a tag; may be repeated"),
    Option(name: "--wish", value: "TEXT", summary: "a bucket-list item; may be repeated"),
    Option(name: "--stay", value: "TEXT", summary: "the place to stay"),
    Option(name: "--booking", value: "TEXT", summary: "the stay's booking reference"),
    Option(name: "--street", value: "TEXT", summary: "the stay's street"),
    Option(name: "--city", value: "TEXT", summary: "the stay's city (default: the destination)"),
    Option(name: "--country", value: "TEXT", summary: "the stay's country (default: Iceland)"),
    Option(name: "--confirmed", value: nil, summary: "the booking is confirmed"),
  ]
  static let examples = [
    "add \"Northern lights\" --destination Tromsø --start 2027-02-03 --end 2027-02-09 "
      + "--budget 1800 --wish \"Dog sledding\" --stay \"Clarion The Edge\" --country Norway"
  ]

  private let name: String
  private let destination: String
  private let startDate: Date
  private let endDate: Date
  private let kind: TripKind
  private let budget: Decimal?
  private let tags: [String]
  private let wishes: [String]
  private let stay: TripRecord.Stay?

  init(_ arguments: Arguments) throws {
    name = try arguments.operand("NAME")
    destination = try arguments.required("--destination")
    guard let startDate = try arguments.day("--start") else {
      throw Failure.usage("'--start' is missing")
    }
    guard let endDate = try arguments.day("--end") else {
      throw Failure.usage("'--end' is missing")
    }
    guard endDate >= startDate else {
      throw Failure.usage("the trip ends on \(Day.format(endDate)), before it starts")
    }
    self.startDate = startDate
    self.endDate = endDate
    kind = try arguments.kind("--purpose") ?? .personal
    budget = try arguments.amount("--budget")
    tags = arguments.all("--tag")
    wishes = arguments.all("--wish")
    stay = try Self.stay(arguments, destination: destination)
  }

  func run(_ session: Session) throws {
    let context = try session.makeContext()
    // Without this check, the unique constraint would overwrite the existing trip.
    let (name, start, end) = (name, startDate, endDate)
    let same = #Predicate<Trip> { $0.name == name && $0.startDate == start && $0.endDate == end }
    guard try context.fetchCount(FetchDescriptor(predicate: same)) == 0 else {
      throw Failure(
        message: "a trip '\(name)' already exists on these days",
        hint: "use a different name, or delete the existing trip")
    }
    let trip = Trip(
      name: name, destination: destination, startDate: startDate, endDate: endDate, kind: kind,
      budget: budget, tags: tags, bucketList: wishes.map { BucketListItem(title: $0) },
      livingAccommodation: stay.map(LivingAccommodation.init))
    context.insert(trip)
    try context.save()
    TripPage(trip: trip).print(session.console)
  }

  private static func stay(_ arguments: Arguments, destination: String) throws -> TripRecord.Stay? {
    guard let place = arguments["--stay"] else {
      let needless = ["--booking", "--street", "--city", "--country", "--confirmed"]
      if let option = needless.first(where: { arguments[$0] != nil || arguments.has($0) }) {
        throw Failure.usage("'\(option)' requires a place to stay", hint: "add '--stay TEXT'")
      }
      return nil
    }
    return TripRecord.Stay(
      placeName: place, bookingReference: arguments["--booking"],
      address: Address(
        street: arguments["--street"] ?? "", city: arguments["--city"] ?? destination,
        country: arguments["--country"] ?? "Iceland"),
      isConfirmed: arguments.has("--confirmed"))
  }
}
