import Synchronization

/// An interned pair of store and entity, four bytes.
@usableFromInline package struct IdentifierToken: Sendable, Hashable {
  @usableFromInline package let number: UInt32

  @usableFromInline package init(number: UInt32) { self.number = number }

  /// The lowest bit says that there is no store, so that asking costs no look-up.
  @inlinable package var isTemporary: Bool { number & 1 == 1 }

  package struct Entry: Hashable, Comparable, Sendable {
    package var store: String?
    package var entity: String

    package static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.store ?? "", lhs.entity) < (rhs.store ?? "", rhs.entity)
    }
  }

  private struct Table {
    var entries: [Entry] = []
    var numbers: [Entry: UInt32] = [:]
  }

  private static let table = Mutex(Table())

  /// The token of an entity in a store; without a store, of its temporary identifiers.
  package static func interned(store: String?, entity: String) -> IdentifierToken {
    let entry = Entry(store: store, entity: entity)
    return table.withLock { table in
      if let number = table.numbers[entry] { return IdentifierToken(number: number) }
      let number = UInt32(table.entries.count) << 1 | (store == nil ? 1 : 0)
      table.entries.append(entry)
      table.numbers[entry] = number
      return IdentifierToken(number: number)
    }
  }

  package var entry: Entry {
    Self.table.withLock { $0.entries[Int(number >> 1)] }
  }
}
