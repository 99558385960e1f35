import Dispatch
import Foundation

/// The reading connections of a store that nobody is using, kept for the next question.
///
/// Apart from the pool, which somebody who looks after them must not keep: whoever lets go of a store finds
/// its files closed.
final class IdleReaders: @unchecked Sendable {  // all that changes is changed with `access` held
  private let access = NSLock()
  /// Held by whoever looks after connections.
  private let sweeping = NSLock()
  private var connections: [Connection] = []
  /// Whether somebody will look after read transactions that stayed open.
  private var isSweepPlanned = false
  private var isClosed = false
  /// What a file that nobody writes looked like when it was opened.
  private var signature: FileSignature?

  private static let sweepInterval = DispatchTimeInterval.milliseconds(15)
  /// A connection beyond this many is closed when it is no longer needed.
  private static let limit = 4

  /// - Parameter allowsSave: whether the store may be written; one that may not is opened anew when its file
  ///   has changed.
  func take(_ path: String, allowsSave: Bool) -> Connection? {
    // Locks and the file system are asked once a fetch; both answer in well under a microsecond.
    access.withLock {
      if !allowsSave {
        let now = FileSignature(path)
        if now != signature {
          signature = now
          connections.removeAll()
        }
      }
      return connections.popLast()
    }
  }

  func giveBack(_ connection: Connection) {
    connection.trace?.purpose = .other
    access.withLock {
      guard connections.count < Self.limit else { return }
      connections.append(connection)
      if connection.keepsSomething, !isSweepPlanned { planSweep() }
    }
  }

  func removeAll() { access.withLock { connections.removeAll() } }

  /// Closes them, those included that somebody is looking after.
  func close() {
    access.withLock {
      isClosed = true
      connections.removeAll()
    }
    sweeping.withLock {}
  }

  /// Ends read transactions that stayed open; those of connections in use are left to their users.
  func endStandingReads() {
    access.withLock {
      // One that cannot end its transaction is of no use any more.
      connections.removeAll { $0.isStanding && (try? $0.endStanding()) == nil }
    }
  }

  /// Takes from connections nobody has asked for a moment what they keep for the next question.
  private func sweep() {
    // Memory is given back without anybody waiting for it.
    let resting = access.withLock {
      var resting: [Connection] = []
      connections.removeAll { connection in
        guard connection.keepsSomething, connection.isResting else { return false }
        resting.append(connection)
        return true
      }
      return resting
    }
    let rested = resting.filter { (try? $0.rest()) != nil }
    access.withLock {
      guard !isClosed else { return }
      connections.insert(contentsOf: rested.prefix(max(0, Self.limit - connections.count)), at: 0)
      isSweepPlanned = false
      if connections.contains(where: \.keepsSomething) { planSweep() }
    }
  }

  /// Called with the lock held.
  private func planSweep() {
    isSweepPlanned = true
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.sweepInterval) {
      [weak self] in
      guard let self else { return }
      sweeping.withLock { self.sweep() }
    }
  }
}
