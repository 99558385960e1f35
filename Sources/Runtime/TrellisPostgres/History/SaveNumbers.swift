import Foundation
import Synchronization
import Trellis

/// Numbers the saves of one open store. No other store has the same numbers.
final class SaveNumbers: Sendable {
  private let prefix = UUID.unique()
  private let count = Atomic<UInt32>(0)

  /// The number of the next save.
  func next() -> UUID { number(count.wrappingAdd(1, ordering: .relaxed).newValue) }

  /// The numbers of the saves of this store.
  var range: ClosedRange<UUID> { number(.min)...number(.max) }

  /// A number: ten bytes for the store, two of a version 8 UUID, and four that count.
  private func number(_ number: UInt32) -> UUID {
    var bytes = prefix.uuid
    bytes.6 = 0x80 | (bytes.6 & 0x0F)
    (bytes.12, bytes.13) = (UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16))
    (bytes.14, bytes.15) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
    return UUID(uuid: bytes)
  }
}
