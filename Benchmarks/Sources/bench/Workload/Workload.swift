import Foundation

/// A trip's values.
struct TripValues {
  var name: String
  var destination: String
  var startDate: Date
  var endDate: Date
  var budget: Double
  var isFavorite: Bool
  var notes: String?
}

/// The values of an item in a trip's list.
struct ItemValues {
  var title: String
  var isInPlan: Bool
}

/// The data for both sides: 100,000 trips with three items each.
enum Workload {
  static let tripCount = 100_000
  static let itemsPerTrip = 3
  /// The trip count for memory measurements.
  static let million = 1_000_000

  /// The destinations for filtered fetches, each with about 2,500 trips.
  static let queried = Array(Words.destinations.prefix(10))

  /// Every tenth trip in insertion order, for updates and deletions.
  static let touched = stride(from: 0, to: tripCount, by: 10)

  /// The same trips in random order, for fetches by key.
  static let wanted: [Int] = {
    var random = Random(seed: 4)
    return touched.shuffled(using: &random)
  }()

  /// A pair of values that identifies a trip.
  struct Pair: Codable {
    var name: String
    var destination: String
  }

  /// Returns a thousand pairs. Every second pair has the wrong destination.
  static func pairs(_ trips: [TripValues]) -> [Pair] {
    wanted.prefix(1000).enumerated().map { index, number in
      Pair(name: trips[number].name, destination: trips[index % 2 == 0 ? number : number + 1].destination)
    }
  }

  static func trips(_ count: Int = tripCount, seed: UInt64 = 1) -> [TripValues] {
    var random = Random(seed: seed)
    return (0..<count).map { trip(number: $0, &random) }
  }

  static func trip(number: Int, _ random: inout Random) -> TripValues {
    let mood = random.element(of: Words.moods)
    let start = Double(random.number(below: 20 * 365 * 86_400))
    let days = Double(1 + random.number(below: 30))
    let notes: String? =
      random.number(below: 2) == 0
      ? nil : random.element(of: Words.openings) + " " + random.element(of: Words.closings)
    return TripValues(
      name: "\(mood) \(random.element(of: Words.journeys)) \(number)",
      destination: random.element(of: Words.destinations),
      startDate: Date(timeIntervalSinceReferenceDate: start),
      endDate: Date(timeIntervalSinceReferenceDate: start + days * 86_400),
      budget: Double(random.number(below: 500_000)) / 100,
      isFavorite: random.number(below: 5) == 0, notes: notes)
  }

  static func items(ofTrips count: Int = tripCount) -> [ItemValues] {
    var random = Random(seed: 2)
    return (0..<count * itemsPerTrip).map { number in
      let verb = random.element(of: Words.verbs)
      return ItemValues(
        title: "\(verb) \(random.element(of: Words.things)) \(number % 10)",
        isInPlan: random.number(below: 2) == 0)
    }
  }

  /// New values for every property, for updates.
  static func revisions() -> [TripValues] { trips(touched.underestimatedCount, seed: 3) }
}
