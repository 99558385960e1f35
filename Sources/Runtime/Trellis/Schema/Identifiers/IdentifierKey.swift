public import Foundation

/// The primary key of a store whose keys are not integers.
@usableFromInline final class IdentifierKey: Sendable, Hashable, Comparable {
  enum Value: Sendable, Hashable {
    case uuid(UUID)
    case string(String)
    /// Any other key: its own description, ordered by it.
    case other(type: String, text: String)
  }

  let value: Value

  init(_ value: Value) { self.value = value }

  /// The key as it reads in an identifier's description and in its encoded form.
  var text: String {
    switch value {
    case .uuid(let uuid): uuid.uuidString
    case .string(let string): string
    case .other(_, let text): text
    }
  }

  @usableFromInline static func == (lhs: IdentifierKey, rhs: IdentifierKey) -> Bool {
    lhs === rhs || lhs.value == rhs.value
  }

  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(value) }

  @usableFromInline static func < (lhs: IdentifierKey, rhs: IdentifierKey) -> Bool {
    lhs.text < rhs.text
  }
}

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
