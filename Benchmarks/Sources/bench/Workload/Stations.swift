import Foundation

/// A station's values.
struct StationValues {
  var code: String
  var name: String
  var height: Double
  var opened: Date
  var isActive: Bool
  var notes: String?
}

extension Workload {
  /// The stations that are stored before an upsert. Half of them are also upserted.
  static let knownStations = 0..<50_000
  static let upsertedStations = 25_000..<125_000

  static func stations(_ numbers: Range<Int>, seed: UInt64) -> [StationValues] {
    var random = Random(seed: seed)
    return numbers.map { number in
      StationValues(
        code: "ST-\(number * 7_919 % 1_000_003)",
        name: "\(random.element(of: Words.destinations)) \(random.element(of: Words.things))",
        height: Double(random.number(below: 300_000)) / 100,
        opened: Date(timeIntervalSinceReferenceDate: Double(random.number(below: 800_000_000))),
        isActive: random.number(below: 4) > 0,
        notes: random.number(below: 2) == 0 ? nil : random.element(of: Words.openings))
    }
  }
}

extension Checksum {
  mutating func add(_ station: StationValues) {
    add(station.code)
    add(station.name)
    add(station.height.bitPattern)
    add(station.opened)
    add(station.isActive)
    if let notes = station.notes { add(notes) } else { add(-1) }
  }
}

/// A sequence that creates trips on demand and does not retain them.
struct TripStream: Sequence, IteratorProtocol {
  private var random = Random(seed: 1)
  private var number = 0
  let count: Int

  init(count: Int) { self.count = count }

  mutating func next() -> TripValues? {
    guard number < count else { return nil }
    defer { number += 1 }
    return Workload.trip(number: number, &random)
  }
}
