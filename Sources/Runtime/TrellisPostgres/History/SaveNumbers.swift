import Foundation
import Synchronization
import Trellis

/// Numbers the saves of one open store. No other store has the same numbers.
final class SaveNumbers: Sendable {
  private let prefix = UUID.unique()
  private let count = Atomic<UInt32>(0)

  /// The number of the next save.
  func next() -> UUID { number(count.wrappingAdd(1, ordering: .relaxed).newValue) }

  /// The first and the last number of a save of this store.
  var range: (first: UUID, last: UUID) { (number(.min), number(.max)) }

  /// A number: ten bytes for the store, two of a version 8 UUID, and four that count.
  private func number(_ number: UInt32) -> UUID {
    var bytes = prefix.uuid
    bytes.6 = 0x80 | (bytes.6 & 0x0F)
    (bytes.12, bytes.13) = (UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16))
    (bytes.14, bytes.15) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
    return UUID(uuid: bytes)
  }

  /// True for a save of this store.
  func contains(_ save: UUID) -> Bool {
    let (own, other) = (prefix.uuid, save.uuid)
    return own.0 == other.0 && own.1 == other.1 && own.2 == other.2 && own.3 == other.3 && own.4 == other.4
      && own.5 == other.5 && own.7 == other.7 && own.8 == other.8 && own.9 == other.9 && own.10 == other.10
      && own.11 == other.11
  }
}
