import Dispatch
import Foundation
import Synchronization
import Trellis

/// Calls a function when a program has notified the others of a save, and regularly.
///
/// The server forwards notifications to the connection of this signal. They can be lost, for example behind a pooler, and a
/// standby sends none. So the function is also called without them.
final class PostgresSignal: CommitSignal {
  /// How long a commit can stay unnoticed without notifications.
  private static let interval = Duration.seconds(2)
  /// How often the thread looks whether the signal was released, in milliseconds.
  private static let tick: Int32 = 200

  init(_ store: PostgresStore, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [weak self, weak store] in
      var connection: PostgresConnection?
      var next = ContinuousClock.now
      // Releases both between the rounds.
      while let store, self != nil {
        connection = connection ?? Self.listen(store)
        var isNotified = false
        do {
          isNotified = try connection?.waitForNotification(milliseconds: Self.tick) ?? false
        } catch {
          connection = nil
        }
        if connection == nil { Thread.sleep(forTimeInterval: Double(Self.tick) / 1_000) }
        guard isNotified || ContinuousClock.now >= next else { continue }
        next = .now + Self.interval
        body()
      }
    }
    thread.name = "Trellis PostgreSQL signals"
    thread.start()
  }

  private static func listen(_ store: PostgresStore) -> PostgresConnection? {
    guard let channel = store.channel, let connection = try? store.pool.separateConnection() else { return nil }
    // A standby refuses it. The connection is not opened again and again then.
    try? connection.execute(["LISTEN \(name: channel)"])
    return connection
  }
}

/// Notifies other programs of saves, one notification for all saves of a short time.
///
/// A notification in the transaction of the save would take a lock that all savers of the server share.
final class PostgresNotifier: Sendable {
  private let isPending = Atomic<Bool>(false)
  private let queue = DispatchQueue(label: "Trellis PostgreSQL notifications")
  private static let delay = DispatchTimeInterval.milliseconds(20)

  /// Called after a save.
  func notify(_ store: PostgresStore) {
    guard let channel = store.channel, !isPending.exchange(true, ordering: .acquiring) else { return }
    queue.asyncAfter(deadline: .now() + Self.delay) { [weak store] in
      self.isPending.store(false, ordering: .releasing)
      guard let store else { return }
      // Programs that hear nothing look by themselves.
      try? store.pool.withConnection { connection in
        try connection.run([PostgresStatement("SELECT pg_notify(\(value: .text(channel)), '')")])
      }
    }
  }
}

extension PostgresStore {
  /// The channel for notifications of saves; nil for an engine without them.
  var channel: String? { configuration.engine.listens ? "trellis_\(identifier)" : nil }
}
