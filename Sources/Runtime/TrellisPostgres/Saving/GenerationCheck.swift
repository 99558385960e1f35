import Synchronization
import Trellis

/// Lets a transaction fail if a migration has excluded the program, for a store that records no history: no row has the
/// generation then, which a constraint of the history checks.
struct GenerationCheck {
  let store: PostgresStore

  /// Nil if the rows of the history are checked.
  init?(_ store: PostgresStore) {
    guard store.history == nil, store.commits.hasSnapshots else { return nil }
    self.store = store
  }

  /// Keeps migrations from starting until the end of the transaction. Comes before all statements that read, whose
  /// snapshot then contains the earlier migrations.
  var lock: PostgresStatement {
    PostgresStatement("LOCK TABLE \(name: store.tables.transactions) IN ACCESS SHARE MODE")
  }

  /// Takes a square root of a negative number if the generation is another one.
  var statement: PostgresStatement {
    PostgresStatement(
      """
      SELECT sqrt(CASE WHEN \(HistoryState.field("generation")) =
      \(value: .text(String(store.generation.load(ordering: .relaxed)))) THEN 1 ELSE -1 END::double precision)
      FROM \(name: store.tables.metadata) WHERE "key" = \(value: .text(HistoryState.key))
      """)
  }
}
