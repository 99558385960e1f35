import Foundation
import Trellis

/// The data for scale runs. Values come from a small pool, to save time and memory.
enum ScaleData {
  static let trips = Workload.trips(10_000)
  static let batch = 10_000
  /// The number of rows per save for unique values, which is larger because uniqueness is also checked within a save.
  static let largeBatch = 100_000

  static func trip(_ number: Int) -> Trip { Trip(trips[number % trips.count]) }

  static func item(_ number: Int, of trip: Trip?) -> BucketListItem {
    BucketListItem(
      title: trips[number % trips.count].name, isInPlan: number % 2 == 0, trip: trip)
  }

  static func place(_ number: Int, name: String) -> Place {
    Place(
      code: number, name: name, region: number / 100,
      opened: trips[number % trips.count].startDate)
  }

  /// Reproducible random row positions.
  static func positions(_ count: Int, below size: Int) -> [Int] {
    var random = Random(seed: 7)
    return (0..<count).map { _ in random.number(below: size) }
  }

  /// Runs the body for consecutive ranges with `batch` numbers each.
  static func batches(_ size: Int, of batch: Int, _ body: (Range<Int>) throws -> Void) rethrows {
    for start in stride(from: 0, to: size, by: batch) {
      try body(start..<min(start + batch, size))
    }
  }

  /// Creates an operation's initial store.
  static func fill(_ source: ScaleOperation.Source, _ container: ModelContainer, _ size: Int) throws {
    let context = ModelContext(container)
    try batches(size, of: batch) { range in
      var latest: Trip?
      for number in range {
        switch source {
        case .nothing: continue
        case .places: context.insert(place(number, name: "new"))
        case .trips:
          let trip = trip(number)
          context.insert(trip)
          if number % 4 == 0 { latest = trip }
          context.insert(item(number, of: latest))
        }
      }
      try context.save()
    }
  }
}
