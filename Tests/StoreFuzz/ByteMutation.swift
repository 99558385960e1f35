import TestSupport

/// Changes the bytes of a file.
struct ByteMutation {
  /// The kind of file, which determines where the interesting bytes are.
  enum Kind {
    case database, propertyList, text
  }

  var random: SeededGenerator

  init(random: SeededGenerator) { self.random = random }

  /// Values at which readers change their behaviour.
  private static let edges: [UInt8] = [0, 1, 2, 5, 10, 13, 0x0D, 0x0F, 0x1F, 0x7F, 0x80, 0xD1, 0xDF, 0xFE, 0xFF]
  private static let words = [
    "\"", "\"\"", ",", "\n", "\r", "\0", "{", "}", "[", "]", "null", "-0", "1e999", "NaN", "9223372036854775808",
    "\u{FEFF}", "../../etc", "/dev/zero", "CREATE TABLE", "GENERATED ALWAYS AS (1)", "WITHOUT ROWID", "CHECK", "(((",
    "REFERENCES", "PRIMARY KEY", "'", ";", "--", "/*", "bplist00", "$objects", "$top", "\u{301}", "😀",
  ]

  /// Applies one to eight changes.
  mutating func mutate(_ bytes: [UInt8], as kind: Kind) -> [UInt8] {
    var bytes = bytes
    for _ in 0...random.roll(8) where !bytes.isEmpty { change(&bytes, kind) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8], _ kind: Kind) {
    let place = place(in: bytes, kind)
    switch random.roll(kind == .text ? 9 : 7) {
    case 0: bytes[place] ^= 1 << UInt8(random.roll(8))
    case 1: bytes[place] = random.pick(Self.edges)
    case 2: bytes[place] = UInt8(random.roll(256))
    case 3:
      // A number of two or four bytes.
      let value: [UInt8] = random.pick([
        [0xFF, 0xFF], [0, 0], [0x7F, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1],
      ])
      for (offset, byte) in value.enumerated() where place + offset < bytes.count { bytes[place + offset] = byte }
    case 4 where random.roll(4) == 0: bytes.removeSubrange(place...)
    case 4, 5:
      // Copy a part of the file to another place.
      let length = min(1 + random.roll(kind == .database ? 512 : 40), bytes.count - place)
      let part = Array(bytes[place..<(place + length)])
      let target = random.roll(bytes.count - length + 1)
      bytes.replaceSubrange(target..<(target + length), with: part)
    case 6:
      let word = Array(random.pick(Self.words).utf8)
      for (offset, byte) in word.enumerated() where place + offset < bytes.count { bytes[place + offset] = byte }
    case 7: bytes.insert(contentsOf: random.pick(Self.words).utf8, at: place)
    default:
      let end = min(place + 1 + random.roll(12), bytes.count)
      bytes.removeSubrange(place..<end)
    }
  }

  /// Chooses an offset. In a database, most are in the first page, which contains the table definitions, or at the start
  /// of a page. In a property list, some are in the offset table and the trailer.
  private mutating func place(in bytes: [UInt8], _ kind: Kind) -> Int {
    if kind == .propertyList, random.roll(4) == 0 { return max(0, bytes.count - 1 - random.roll(100)) }
    guard kind == .database, bytes.count > 4096 else { return random.roll(bytes.count) }
    switch random.roll(6) {
    case 0: return random.roll(100)
    case 1, 2: return random.roll(4096)
    case 3: return random.roll(bytes.count / 4096) * 4096 + random.roll(64)
    default: return random.roll(bytes.count)
    }
  }
}
