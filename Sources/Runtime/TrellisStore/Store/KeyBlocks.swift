import Synchronization

/// Hands out row numbers that were never used and never will be again, in any process.
///
/// The metadata table says from where on the numbers of a table are free. A save takes a block of
/// them inside its own write transaction and uses it up over later saves; blocks grow with use.
final class KeyBlocks: Sendable {
  struct Block: Sendable {
    var next: Int64 = 1
    var end: Int64 = 1
    var size: Int64 = 8
  }

  private static let largest: Int64 = 4096

  /// Where the store is, for errors.
  private let path: String?

  init(path: String? = nil) { self.path = path }

  private let blocks = Mutex<[String: Block]>([:])

  /// Ends the blocks whose ends a rolled back transaction has written, so that the next keys are recorded again.
  func closeBlocks() {
    blocks.withLock { blocks in
      for (table, block) in blocks { blocks[table]?.next = block.end }
    }
  }

  /// The first of `count` consecutive free keys of a table.
  ///
  /// Called by the writer inside its transaction; ``restore(_:)`` undoes it with the transaction.
  func take(_ count: Int, of entity: EntityLayout, _ connection: Connection) throws -> Int64 {
    var block = blocks.withLock { $0[entity.table] } ?? Block()
    if block.end - block.next < Int64(count) {
      // The end of a block is above the free numbers if its transaction was undone, and ``restore(_:)`` was not called.
      let first = max(block.end, try firstFree(of: entity, connection))
      let size = max(Int64(count), min(block.size, .max - first))
      let (end, overflow) = first.addingReportingOverflow(size)
      if overflow {
        throw SwiftDataError.modelValidationFailure.explained(
          "\(count) numbers are needed for new models of '\(entity.rootName)' and \(Int64.max - first) "
            + "are left: '\(entity.rootName)' \(first - (first == .max ? 0 : 1)) is taken, and numbers are "
            + "not used again; nothing was saved", path: path)
      }
      try StoreMetadata.write(
        .integer(end), for: StoreMetadata.Key.nextPrefix + entity.table, connection)
      // What is left of a block that borders on the new one is used first.
      if block.end != first { block.next = first }
      block.end = end
      block.size = min(block.size * 2, Self.largest)
    }
    let first = block.next
    block.next += Int64(count)
    let taken = block
    blocks.withLock { $0[entity.table] = taken }
    return first
  }

  /// Takes back the last keys that were taken, by the writer that took them.
  func giveBack(_ keys: Range<Int64>, of entity: EntityLayout) {
    blocks.withLock { blocks in
      guard blocks[entity.table]?.next == keys.upperBound else { return }
      blocks[entity.table]?.next = keys.lowerBound
    }
  }

  /// The first number that is neither reserved nor the key of a row that another program wrote.
  private func firstFree(of entity: EntityLayout, _ connection: Connection) throws -> Int64 {
    var first: Int64 = 1
    switch try StoreMetadata.value(for: StoreMetadata.Key.nextPrefix + entity.table, connection) {
    case nil: break
    case .integer(let number)?: first = max(first, number)
    case _?:
      throw connection.damage(
        "its own table '\(StoreCatalogue.metadataTable)' does not say which numbers of '\(entity.rootName)' were "
          + "never used")
    }
    if let last = try connection.integers("SELECT MAX(\(name: entity.keyColumn)) FROM \(name: entity.table)").first {
      first = max(first, last == .max ? last : last + 1)
    }
    return first
  }

  /// A copy to return to when a transaction fails. A store with one connection does not return to it if the program may have
  /// read the rows.
  var state: [String: Block] { blocks.withLock { $0 } }
  func restore(_ state: [String: Block]) { blocks.withLock { $0 = state } }

  /// Makes sure that no key that is in use now is handed out after its row has gone.
  func retire(_ layout: StoreLayout, _ connection: Connection) throws {
    for entity in layout.entities where entity.name == entity.rootName {
      let first = try firstFree(of: entity, connection)
      try StoreMetadata.write(
        .integer(first), for: StoreMetadata.Key.nextPrefix + entity.table, connection)
    }
    restore([:])
  }
}
