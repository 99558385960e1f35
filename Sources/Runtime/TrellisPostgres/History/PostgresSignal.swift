import Dispatch
import Foundation
import Synchronization
import Trellis

/// Calls a function after a process has announced a save, and at regular intervals.
///
/// The server forwards notifications to this signal's connection. They can be lost, for example behind a pooler, and a
/// standby sends none, so the function is also called periodically.
final class PostgresSignal: CommitSignal {
  /// The longest time that a commit goes unnoticed if there are no notifications.
  private static let interval = Duration.seconds(2)
  /// The interval at which the thread checks whether the signal was released, in milliseconds.
  private static let tick: Int32 = 200

  init(_ store: PostgresStore, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [weak self, weak store] in
      var connection: PostgresConnection?
      var next = ContinuousClock.now
      // Both objects can be released between iterations.
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
    // A standby rejects LISTEN. The error is ignored, so that the connection is not reopened repeatedly.
    try? connection.execute(["LISTEN \(name: channel)"])
    return connection
  }
}

/// Notifies other processes of saves, coalescing saves in a short interval into a single notification.
///
/// A notification inside the save's transaction would need a lock for which all saves on the server compete.
final class PostgresNotifier: Sendable {
  private let isPending = Atomic<Bool>(false)
  private let queue = DispatchQueue(label: "Trellis PostgreSQL notifications")
  private static let delay = DispatchTimeInterval.milliseconds(20)

  /// Schedules a notification. Called after a save.
  func notify(_ store: PostgresStore) {
    guard let channel = store.channel, !isPending.exchange(true, ordering: .acquiring) else { return }
    queue.asyncAfter(deadline: .now() + Self.delay) { [weak store] in
      self.isPending.store(false, ordering: .releasing)
      guard let store else { return }
      // A process that misses the notification sees the save when it polls.
      try? store.pool.withConnection { connection in
        try connection.run([PostgresStatement("SELECT pg_notify(\(value: .text(channel)), '')")])
      }
    }
  }
}

extension PostgresStore {
  /// The notification channel for saves; `nil` if the engine does not support notifications.
  var channel: String? { configuration.engine.listens ? "trellis_\(identifier)" : nil }
}
