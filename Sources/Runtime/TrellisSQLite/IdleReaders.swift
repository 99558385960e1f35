import Dispatch
import Foundation

/// The idle reading connections of a store.
///
/// A separate object, because the sweep retains it and may not retain the pool: a program that releases a store finds
/// its files closed.
package final class IdleReaders: @unchecked Sendable {  // all mutable state is protected by `access`
  package init() {}

  private let access = NSLock()
  /// Held during a sweep.
  private let sweeping = NSLock()
  private var connections: [Connection] = []
  private var isSweepPlanned = false
  private var isClosed = false
  /// A read-only file when its connections were opened, and whether it had a write-ahead log.
  private var opened: (file: FileStamp?, hasLog: Bool) = (nil, false)

  private static let sweepInterval = DispatchTimeInterval.milliseconds(15)
  /// The largest number of idle connections; further ones are closed.
  private static let limit = 4

  /// Takes an idle connection; nil if there is none.
  ///
  /// - Parameter allowsSave: false for a read-only store, whose connections are closed when the file has changed.
  package func take(_ path: String, allowsSave: Bool) -> Connection? {
    access.withLock {
      if !allowsSave {
        let now = (FileStamp(path), FileStamp.size(path + "-wal") > 0)
        if now != opened {
          opened = now
          connections.removeAll()
        }
      }
      return connections.popLast()
    }
  }

  package func giveBack(_ connection: Connection) {
    connection.trace?.purpose = .other
    access.withLock {
      guard connections.count < Self.limit else { return }
      connections.append(connection)
      if connection.holdsResources, !isSweepPlanned { planSweep() }
    }
  }

  package func removeAll() { access.withLock { connections.removeAll() } }

  /// Closes all connections, after a running sweep.
  package func close() {
    access.withLock {
      isClosed = true
      connections.removeAll()
    }
    sweeping.withLock {}
  }

  /// Ends the held read transactions of idle connections.
  package func endHeldReads() {
    access.withLock {
      // A connection that cannot end its transaction is closed.
      connections.removeAll { $0.holdsReadTransaction && (try? $0.endHeldRead()) == nil }
    }
  }

  /// Releases the transactions and the memory of connections that were idle for 10 ms.
  private func sweep() {
    // Releasing memory takes time, so the lock is not held.
    let idle = access.withLock {
      var idle: [Connection] = []
      connections.removeAll { connection in
        guard connection.holdsResources, connection.isIdle else { return false }
        idle.append(connection)
        return true
      }
      return idle
    }
    let released = idle.filter { (try? $0.releaseHeldResources()) != nil }
    access.withLock {
      guard !isClosed else { return }
      connections.insert(contentsOf: released.prefix(max(0, Self.limit - connections.count)), at: 0)
      isSweepPlanned = false
      if connections.contains(where: \.holdsResources) { planSweep() }
    }
  }

  /// Called with the lock `access` held.
  private func planSweep() {
    isSweepPlanned = true
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.sweepInterval) {
      [weak self] in
      guard let self else { return }
      sweeping.withLock { self.sweep() }
    }
  }
}
