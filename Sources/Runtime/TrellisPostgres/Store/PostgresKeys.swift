import Synchronization
import Trellis

/// Hands out row numbers that were never used and never will be again, in any process.
///
/// The sequence of a table gives numbers of blocks of ``PostgresLayout/keysPerBlock`` keys. What is left of a block when
/// the process ends is never used. A block belongs to the server that has given it, because the next primary of a cluster
/// can give it again.
final class PostgresKeys: Sendable {
  private let blocks = Mutex<[Table: Range<Int64>]>([:])

  private struct Table: Hashable {
    let name: String
    let server: String
  }

  /// Forgets all blocks.
  func forget() { blocks.withLock { $0 = [:] } }

  /// Takes free keys of a table.
  ///
  /// - Parameter server: the server of the connection.
  /// - Returns: Ranges with `count` keys in total, in ascending order.
  func take(
    _ count: Int, of name: String, _ connection: PostgresConnection, _ dialect: PostgresDialect,
    server: String
  ) throws -> [Range<Int64>] {
    let table = Table(name: name, server: server)
    var taken: [Range<Int64>] = []
    var rest = Int64(count)
    func use(_ block: Range<Int64>) -> Range<Int64> {
      let own = block.lowerBound..<min(block.upperBound, block.lowerBound + rest)
      if !own.isEmpty { taken.append(own) }
      rest -= Int64(own.count)
      return own.upperBound..<block.upperBound
    }
    blocks.withLock { blocks in
      if let block = blocks[table] { blocks[table] = use(block) }
    }
    guard rest > 0 else { return taken }
    let size = Int64(PostgresLayout.keysPerBlock)
    let needed = (rest + size - 1) / size
    var fresh: [Range<Int64>] = []
    let sequence = PostgresName.quoted(PostgresLayout.keySequence(of: name))
    try connection.run(
      PostgresStatement(
        """
        SELECT nextval(\(literal: sequence)) \
        FROM generate_series(1, \(value: .integer(needed))::bigint)
        """, dialect)
    ) { row in
      if let first = row.integer(0) { fresh.append(first..<first + size) }
    }
    for block in fresh {
      let left = use(block)
      if !left.isEmpty { blocks.withLock { $0[table] = left } }
    }
    return taken
  }
}
