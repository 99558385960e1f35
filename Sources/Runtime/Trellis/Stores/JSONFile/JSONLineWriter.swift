import Foundation

/// Writes models as lines of JSON text, their members by name.
///
/// What `JSONEncoder` makes of them, without its cost of some microseconds a value: numbers, text and
/// references are written at once, everything else by the encoder itself.
final class JSONLineWriter {
  /// A member of one entity.
  private struct Member {
    /// `"name":`
    let start: [UInt8]
    /// The place among the members ordered by name.
    let rank: Int
  }

  private let columns: [Member]
  /// The relationships whose members the file lists: nil where the other end says as much.
  private let lists: [Member?]
  /// Those of them that keep the order of their members.
  private let ordered: PropertySet
  private let id: Member
  private let encoder = JSONDocument.encoder

  init(_ plan: EntityStatements) {
    let layout = plan.entity.definition.layout
    let names = layout.columns.map(\.name) + layout.lists.map(\.name) + [JSONDocument.idKey.stringValue]
    let ranks = Dictionary(
      zip(names.sorted(), names.indices), uniquingKeysWith: { first, _ in first })
    func member(_ name: String) -> Member {
      var start: [UInt8] = []
      JSONText.append(name, to: &start)
      start.append(UInt8(ascii: ":"))
      return Member(start: start, rank: ranks[name] ?? 0)
    }
    columns = layout.columns.map { member($0.name) }
    let written = Set(plan.writtenLists.map(\.slot))
    lists = layout.lists.enumerated().map { written.contains($0.offset) ? member($0.element.name) : nil }
    var ordered = PropertySet()
    for list in plan.writtenLists {
      if case .join(_, _, _, nil) = list.kind { continue }
      ordered.insert(list.slot)
    }
    self.ordered = ordered
    id = member(JSONDocument.idKey.stringValue)
  }

  /// - Parameter kept: the texts of values that say more than the snapshot.
  func line(_ snapshot: DefaultSnapshot, kept: [(slot: Int, text: [UInt8])] = []) throws -> [UInt8] {
    let row = Row(writer: self)
    row.append(id) { JSONText.append(snapshot.persistentIdentifier.row ?? 0, to: &$0) }
    try snapshot.batch.write(snapshot.index, to: row)
    for (slot, text) in kept { row.replace(columns[slot], by: text) }
    return row.text
  }

  /// The members of one model in the order in which its values come.
  private final class Row: RowWriter {
    let writer: JSONLineWriter
    private var bytes: [UInt8] = []
    private var parts: [(rank: Int, range: Range<Int>)] = []

    init(writer: JSONLineWriter) {
      self.writer = writer
      bytes.reserveCapacity(256)
      parts.reserveCapacity(writer.columns.count + 1)
    }

    func append(_ member: Member, _ write: (inout [UInt8]) throws -> Void) rethrows {
      let start = bytes.count
      bytes.append(contentsOf: member.start)
      try write(&bytes)
      parts.append((member.rank, start..<bytes.count))
    }

    func append(_ keys: [Int64], as member: Member) {
      append(member) { bytes in
        bytes.append(UInt8(ascii: "["))
        for (place, key) in keys.enumerated() {
          if place > 0 { bytes.append(UInt8(ascii: ",")) }
          JSONText.append(key, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
      }
    }

    func replace(_ member: Member, by text: [UInt8]) {
      parts.removeAll { $0.rank == member.rank }
      append(member) { $0.append(contentsOf: text) }
    }

    /// The object, its members by name.
    var text: [UInt8] {
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count + parts.count + 2)
      text.append(UInt8(ascii: "{"))
      for (place, part) in parts.sorted(by: { $0.rank < $1.rank }).enumerated() {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: bytes[part.range])
      }
      text.append(UInt8(ascii: "}"))
      return text
    }

    func value<T: ColumnValue>(_ slot: Int, _ value: T) throws { try codable(slot, value) }

    func codable<T: Codable & Sendable>(_ slot: Int, _ value: T) throws {
      let column = writer.columns[slot]
      // Comparing types is cheap, casting is not. What is nil casts to nothing, and is left out.
      if T.self == String.self || T.self == String?.self {
        if let text = value as? String { append(column) { JSONText.append(text, to: &$0) } }
      } else if T.self == Int.self || T.self == Int?.self {
        if let number = value as? Int { append(column) { JSONText.append(Int64(number), to: &$0) } }
      } else if T.self == Int64.self || T.self == Int64?.self {
        if let number = value as? Int64 { append(column) { JSONText.append(number, to: &$0) } }
      } else if T.self == Double.self || T.self == Double?.self {
        if let number = value as? Double { append(column) { JSONText.append(number, to: &$0) } }
      } else if T.self == Bool.self || T.self == Bool?.self {
        if let isTrue = value as? Bool {
          append(column) { $0.append(contentsOf: (isTrue ? "true" : "false").utf8) }
        }
      } else if T.self == Date.self || T.self == Date?.self {
        if let date = value as? Date {
          append(column) { JSONText.append(date.timeIntervalSinceReferenceDate, to: &$0) }
        }
      } else if let decimal = value as? Decimal, decimal.isNaN {
        append(column) { JSONText.append(NotANumber.text, to: &$0) }
      } else if (value as? any OptionalValue)?.isNil != true {
        let coded = try JSONForm.text(of: value, writer.encoder)
        try JSONColumn.check(coded, of: "\(T.self)")
        append(column) { $0.append(contentsOf: coded) }
      }
    }

    func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
      guard let row = identifier?.row else { return }
      append(writer.columns[slot]) { JSONText.append(row, to: &$0) }
    }

    func references(_ slot: Int, _ identifiers: [PersistentIdentifier]?) throws {
      guard let identifiers, !identifiers.isEmpty, let list = writer.lists[slot] else { return }
      let keys = identifiers.compactMap(\.row)
      append(writer.ordered.contains(slot) ? keys : keys.sorted(), as: list)
    }
  }
}
