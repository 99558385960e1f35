import Synchronization

/// Allocates row keys. No process ever reuses a key.
///
/// The metadata table records the first free key per table. A save reserves a block inside the write transaction, and
/// later saves use up the block. Blocks grow with use.
final class KeyBlocks: Sendable {
  struct Block: Sendable {
    var next: Int64 = 1
    var end: Int64 = 1
    var size: Int64 = 8
  }

  private static let largest: Int64 = 4096

  /// The store path for error messages.
  private let path: String?

  init(path: String? = nil) { self.path = path }

  private let blocks = Mutex<[String: Block]>([:])

  /// Discards blocks reserved by a transaction that was rolled back, so that the next keys are recorded again.
  func closeBlocks() {
    blocks.withLock { blocks in
      for (table, block) in blocks { blocks[table]?.next = block.end }
    }
  }

  /// Returns the first of `count` consecutive free keys in a table.
  ///
  /// The writer calls this inside a transaction; ``restore(_:)`` undoes it if the transaction is rolled back.
  func take(_ count: Int, of entity: EntityLayout, _ connection: Connection) throws -> Int64 {
    var block = blocks.withLock { $0[entity.table] } ?? Block()
    if block.end - block.next < Int64(count) {
      // The block ends after the first free key if a transaction was rolled back and ``restore(_:)`` was not called.
      let first = max(block.end, try firstFree(of: entity, connection))
      let size = max(Int64(count), min(block.size, .max - first))
      let (end, overflow) = first.addingReportingOverflow(size)
      if overflow {
        throw SwiftDataError.modelValidationFailure.explained(
          "new models of '\(entity.rootName)' need \(count) row numbers, but only \(Int64.max - first) are "
            + "left: number \(first - (first == .max ? 0 : 1)) is in use, and numbers are never "
            + "reused; nothing was saved", path: path)
      }
      try StoreMetadata.write(
        .integer(end), for: StoreMetadata.Key.nextPrefix + entity.table, connection)
      // If the new block is adjacent, the remaining keys in the old block are used first.
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

  /// Makes the most recently taken keys available again. Called by the writer that took them.
  func checkIn(_ keys: Range<Int64>, of entity: EntityLayout) {
    blocks.withLock { blocks in
      guard blocks[entity.table]?.next == keys.upperBound else { return }
      blocks[entity.table]?.next = keys.lowerBound
    }
  }

  /// Returns the first key that is neither reserved nor used in a row written outside of Trellis.
  private func firstFree(of entity: EntityLayout, _ connection: Connection) throws -> Int64 {
    var first: Int64 = 1
    switch try StoreMetadata.value(for: StoreMetadata.Key.nextPrefix + entity.table, connection) {
    case nil: break
    case .integer(let number)?: first = max(first, number)
    case _?:
      throw connection.damage(
        "its own table '\(StoreCatalogue.metadataTable)' does not record the unused numbers for "
          + "'\(entity.rootName)'")
    }
    if let last = try connection.integers("SELECT MAX(\(name: entity.keyColumn)) FROM \(name: entity.table)").first {
      first = max(first, last == .max ? last : last + 1)
    }
    return first
  }

  /// The blocks, to be restored if a transaction fails. A store with a single connection does not restore them if the
  /// app may have read the rows.
  var state: [String: Block] { blocks.withLock { $0 } }
  func restore(_ state: [String: Block]) { blocks.withLock { $0 = state } }

  /// Ensures that keys in use are not reallocated after the rows are deleted.
  func retire(_ layout: StoreLayout, _ connection: Connection) throws {
    for entity in layout.entities where entity.name == entity.rootName {
      let first = try firstFree(of: entity, connection)
      try StoreMetadata.write(
        .integer(first), for: StoreMetadata.Key.nextPrefix + entity.table, connection)
    }
    restore([:])
  }
}
