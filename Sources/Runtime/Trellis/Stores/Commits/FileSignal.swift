import Foundation
import Synchronization

/// Calls a function when any process has written to the files of a store.
///
/// The system wakes a waiting thread. The signal comes when a transaction is written to the WAL, a moment before it is
/// committed. So the callee looks for commits several times.
final class FileSignal: CommitSignal {
  private let number: Int

  init(_ path: String, _ body: @escaping @Sendable () -> Void) {
    number = FileSignals.shared.add(path, body)
  }

  deinit { FileSignals.shared.remove(number) }
}

/// All files of the process that are watched, by one thread.
private final class FileSignals: Sendable {
  static let shared = FileSignals()

  private struct Watch {
    var folder: String
    /// The files whose names begin so: the store and its log.
    var name: String
    var body: @Sendable () -> Void
  }

  private struct State {
    var next = 0
    var watches: [Int: Watch] = [:]
    var folders: [String: Int32] = [:]
    var isRunning = false
  }

  private let state = Mutex(State())
  private let source = FolderEvents()

  func add(_ path: String, _ body: @escaping @Sendable () -> Void) -> Int {
    let url = URL(fileURLWithPath: path)
    let watch = Watch(
      folder: url.deletingLastPathComponent().path, name: url.lastPathComponent, body: body)
    let (number, starts) = state.withLock { state in
      defer { state.next += 1 }
      state.watches[state.next] = watch
      if state.folders[watch.folder] == nil { state.folders[watch.folder] = source.add(watch.folder) }
      defer { state.isRunning = true }
      return (state.next, !state.isRunning)
    }
    if starts {
      let thread = Thread { [self] in run() }
      thread.name = "Trellis file signals"
      thread.start()
    }
    return number
  }

  func remove(_ number: Int) {
    state.withLock { state in
      guard let watch = state.watches.removeValue(forKey: number),
        !state.watches.values.contains(where: { $0.folder == watch.folder }),
        let folder = state.folders.removeValue(forKey: watch.folder)
      else { return }
      source.remove(folder)
    }
  }

  /// When to look after the last event of a burst, in milliseconds from look to look: a transaction counts
  /// once it is written, and where each commit waits for the disk, or the machine is busy, that takes a while.
  private static let pauses: [Int32] = [1, 5, 20, 100, 400, 1_600, 6_400]
  /// The interval between two calls while other processes keep writing.
  private static let interval = Duration.milliseconds(5)

  private func run() {
    var touched = Set<String>()
    // The next of the pauses; nil while nothing happens.
    var next: Int?
    var lastLook: ContinuousClock.Instant?
    while true {
      let events = source.wait(milliseconds: next.map { Self.pauses[$0] } ?? -1)
      if !events.isEmpty {
        touched.formUnion(events)
        next = 0
        if let lastLook, .now - lastLook <= Self.interval { continue }
      } else if let current = next {
        next = current + 1 < Self.pauses.count ? current + 1 : nil
      }
      lastLook = .now
      for body in bodies(touched) { body() }
      if next == nil { touched.removeAll() }
    }
  }

  private func bodies(_ touched: Set<String>) -> [@Sendable () -> Void] {
    state.withLock { state in
      state.watches.values.filter { watch in
        let folder = state.folders[watch.folder] ?? -1
        return touched.contains { event in
          event == FolderEvents.any || event.hasPrefix("\(folder) \(watch.name)")
        }
      }.map(\.body)
    }
  }
}
