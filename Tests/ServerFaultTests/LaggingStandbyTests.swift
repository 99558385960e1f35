import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Tokens from a primary that reach a standby before the transactions do.
@Suite(.waiting) struct LaggingStandbyTests {
  /// Two transactions receive their IDs in a different order than their numbers, and the standby only has the higher
  /// number. Delivering it would lose the other transaction, because a token is a position in numerical order.
  @Test func standbysThatLagBehindATokenDeliverNothing() throws {
    let primary = try PostgresServer()
    let writer = try ClusterProgram("shop", on: primary)
    try writer.save("first")
    let standby = try PostgresServer(standbyOf: primary)
    let follower = try ClusterProgram("shop", on: standby, allowsSave: false)
    // Number 2 belongs to a transaction that begins after number 3 is committed.
    try primary.psql("SELECT nextval('shop.trellis_history_numbers')")
    try writer.save("third")
    try primary.psql(
      """
      BEGIN; INSERT INTO shop.trellis_history ("id", "save", "time", "bundle", "process", "changes")
      SELECT 2, gen_random_uuid(), "time", "bundle", "process", "changes" FROM shop.trellis_history WHERE "id" = 1;
      PREPARE TRANSACTION 'second'
      """)
    try standby.catchUp(with: primary)
    #expect(try follower.transactions().map(\.id) == [1, 3])
    try standby.psql("SELECT pg_wal_replay_pause()")
    try standby.wait("SELECT pg_get_wal_replay_pause_state()", for: "paused")
    try primary.psql("COMMIT PREPARED 'second'")
    // The token is from the middle of a page that contains all transactions.
    let token = try #require(writer.transactions(limit: 1).last?.token)
    #expect(try writer.transactions(since: token).map(\.id) == [2, 3])
    #expect(try follower.transactions(since: token).isEmpty)
    try standby.psql("SELECT pg_wal_replay_resume()")
    try standby.catchUp(with: primary)
    #expect(try follower.transactions(since: token).map(\.id) == [2, 3])
  }
}
