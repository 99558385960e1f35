import Synchronization
import Trellis

/// Reserves row numbers that are unique across all processes and never reused.
///
/// Each value of a table's sequence reserves a block of ``PostgresLayout/keysPerBlock`` keys. The rest of a block is
/// lost when the process ends. A block may be used only with the server that reserved it, because after a failover the
/// new primary can reserve the same block again.
final class PostgresKeys: Sendable {
  /// The rest of the last reserved block, by table and server.
  private let blocks = Mutex<[String: Range<Int64>]>([:])

  /// Discards all blocks.
  func forget() { blocks.withLock { $0 = [:] } }

  /// Takes free keys for a table.
  ///
  /// - Parameter server: The connection's server.
  /// - Returns: Ranges with `count` keys in total, in ascending order.
  func take(
    _ count: Int, of name: String, _ connection: PostgresConnection, server: String
  ) throws -> [Range<Int64>] {
    let table = "\(name) \(server)"
    let known = blocks.withLock { blocks in
      let block = blocks[table] ?? 0..<0
      blocks[table] = block.dropFirst(count)
      return block.prefix(count)
    }
    var taken = known.isEmpty ? [] : [known]
    let rest = count - known.count
    guard rest > 0 else { return taken }
    let size = PostgresLayout.keysPerBlock
    let needed = (rest + size - 1) / size
    let sequence = PostgresName.quoted(PostgresLayout.keySequence(of: name))
    let query: SQLFragment = """
      SELECT nextval(\(literal: sequence)) FROM generate_series(1, \(value: .integer(Int64(needed)))::bigint)
      """
    taken += try connection.rows(PostgresStatement(query)) { $0.integer(0).map { $0..<$0 + Int64(size) } }
    let surplus = needed * size - rest
    if surplus > 0, let last = taken.popLast() {
      taken.append(last.dropLast(surplus))
      blocks.withLock { $0[table] = last.suffix(surplus) }
    }
    return taken
  }
}
