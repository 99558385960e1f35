/// Rows of the same class that a transaction changed in the same way.
package struct HistoryGroup {
  package enum Kind: UInt64 { case insertion, update, deletion }

  package let kind: Kind
  /// The entity number in ``HistoryNames``.
  package let entity: Int
  /// The slots changed by an update.
  package var columns = PropertySet()
  package var lists = PropertySet()
  package var rows = RowRuns()
}

/// Encodes a transaction's changes compactly: a small change takes a few bytes, and so does a run of a thousand rows.
///
/// ```text
/// format, flags, epoch, then for each group: kind + entity, the updated slots, runs of keys
/// ```
/// Numbers are encoded with seven bits per byte, least significant group first.
package struct HistoryWriter {
  private(set) var bytes: [UInt8] = []

  static let format: UInt8 = 1

  package struct Flags: OptionSet {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The transaction changed rows that are missing from the recorded changes.
    package static let isIncomplete = Flags(rawValue: 1)
    /// The transaction has tombstones.
    package static let hasTombstones = Flags(rawValue: 2)
  }

  init(epoch: Int, _ flags: Flags) {
    bytes.reserveCapacity(24)
    bytes.append(Self.format)
    bytes.append(flags.rawValue)
    write(UInt64(epoch))
  }

  mutating func write(_ group: HistoryGroup) {
    write(UInt64(group.entity) << 2 | group.kind.rawValue)
    if group.kind == .update {
      write(group.columns)
      write(group.lists)
    }
    let runs = group.rows.runs
    write(UInt64(runs.count))
    var last: Int64 = 0
    for run in runs {
      let distance = run.first &- last
      // The sign is in the lowest bit, so that small numbers of either sign are short.
      write(UInt64(bitPattern: (distance << 1) ^ (distance >> 63)))
      write(UInt64(run.end - run.first - 1))
      last = run.end
    }
  }

  private mutating func write(_ slots: PropertySet) {
    write(UInt64(slots.count))
    slots.forEach { write(UInt64($0)) }
  }

  private mutating func write(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Decodes bytes from ``HistoryWriter``. Truncated or invalid bytes result in `nil` or an error.
package struct HistoryReader {
  private let bytes: [UInt8]
  private var position = 2
  package let flags: HistoryWriter.Flags
  package private(set) var epoch = 0
  /// How many more rows the remaining groups may contain.
  private var left = mostRows

  /// The maximum number of rows in a transaction. A higher number is treated as damage, because readers create an
  /// object per row.
  static let mostRows: Int64 = 1 << 28

  package init?(_ bytes: [UInt8]) {
    guard bytes.count > 2, bytes[0] == HistoryWriter.format else { return nil }
    self.bytes = bytes
    flags = HistoryWriter.Flags(rawValue: bytes[1])
    guard let epoch = try? count() else { return nil }
    self.epoch = epoch
  }

  /// Returns the next group; `nil` at the end.
  ///
  /// - Throws: ``Damage``.
  package mutating func next() throws -> HistoryGroup? {
    guard position < bytes.count else { return nil }
    let head = try number()
    guard let kind = HistoryGroup.Kind(rawValue: head & 3), let entity = Int(exactly: head >> 2)
    else { throw Damage() }
    var group = HistoryGroup(kind: kind, entity: entity)
    if kind == .update {
      group.columns = try slots()
      group.lists = try slots()
    }
    var last: Int64 = 0
    for _ in 0..<(try count(upTo: bytes.count)) {
      let (distance, length) = (try number(), try number())
      guard length < UInt64(left) else { throw Damage() }
      let first = last &+ (Int64(bitPattern: distance >> 1) ^ -Int64(distance & 1))
      let count = Int64(length) + 1
      left -= count
      let (end, overflow) = first.addingReportingOverflow(count)
      guard !overflow else { throw Damage() }
      group.rows.append(first..<end)
      last = end
    }
    return group
  }

  /// The bytes are damaged.
  package struct Damage: Error {}

  private mutating func slots() throws -> PropertySet {
    var slots = PropertySet()
    for _ in 0..<(try count(upTo: bytes.count)) { slots.insert(try count(upTo: HistoryNames.mostColumns)) }
    return slots
  }

  private mutating func count(upTo limit: Int = .max) throws -> Int {
    guard let count = Int(exactly: try number()), count <= limit else { throw Damage() }
    return count
  }

  private mutating func number() throws -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return result }
      shift += 7
    }
    throw Damage()
  }
}
