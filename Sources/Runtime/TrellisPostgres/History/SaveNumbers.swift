import Foundation
import Synchronization
import Trellis

/// Generates save identifiers for an open store. They are unique across all stores.
final class SaveNumbers: Sendable {
  private let prefix = UUID.unique()
  private let count = Atomic<UInt32>(0)

  /// Returns the next save's identifier.
  func next() -> UUID { number(count.wrappingAdd(1, ordering: .relaxed).newValue) }

  /// The range of identifiers for this store's saves.
  var range: ClosedRange<UUID> { number(.min)...number(.max) }

  /// Returns an identifier: a version 8 UUID that consists of random bytes for the store and a four-byte counter.
  private func number(_ number: UInt32) -> UUID {
    var bytes = prefix.uuid
    bytes.6 = 0x80 | (bytes.6 & 0x0F)
    (bytes.12, bytes.13) = (UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16))
    (bytes.14, bytes.15) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
    return UUID(uuid: bytes)
  }
}
