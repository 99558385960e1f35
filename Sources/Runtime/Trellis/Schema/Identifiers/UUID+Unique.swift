public import Foundation

extension UUID {
  /// A new random identifier.
  ///
  /// Foundation's `UUID()` reads its bytes from a file. When the process can open no more files, it returns one
  /// value again and again. These bytes come from a call of the system that needs no file.
  @usableFromInline package static func unique() -> UUID {
    // Version 4 of RFC 9562, and its variant: all other bits are random.
    let high = UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000
    let low = UInt64.random(in: .min ... .max) & ~(3 << 62) | 1 << 63
    return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }
}
