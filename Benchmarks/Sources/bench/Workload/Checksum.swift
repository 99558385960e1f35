import Foundation

/// An ordered hash of values, for comparing both sides.
struct Checksum {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  var text: String { String(state, radix: 16) }

  mutating func add(_ value: UInt64) {
    state = (state ^ value) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 32
  }

  mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }
  mutating func add(_ value: Bool) { add(value ? 1 : 0 as UInt64) }
  mutating func add(_ value: Date) { add(value.timeIntervalSinceReferenceDate.bitPattern) }

  mutating func add(_ value: String) {
    for byte in value.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    add(value.utf8.count)
  }

  mutating func add(_ trip: TripValues) {
    add(trip.name)
    add(trip.destination)
    add(trip.startDate)
    add(trip.endDate)
    add(trip.budget.bitPattern)
    add(trip.isFavorite)
    if let notes = trip.notes { add(notes) } else { add(-1) }
  }

  mutating func add(_ item: ItemValues) {
    add(item.title)
    add(item.isInPlan)
  }
}

extension Collection {
  func checksum(_ add: (inout Checksum, Element) -> Void) -> String {
    var checksum = Checksum()
    checksum.add(count)
    for element in self { add(&checksum, element) }
    return checksum.text
  }
}
