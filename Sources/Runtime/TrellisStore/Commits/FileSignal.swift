import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Calls a function when any process has written to the files of a store.
///
/// The system's event comes when a transaction is written to the WAL, a moment before it is committed. So the function is
/// called several times. Without events, because the system has none or a limit is reached, it is called regularly.
final class FileSignal: CommitSignal, @unchecked Sendable {  // only its queue changes it
  private let body: @Sendable () -> Void
  private let queue = DispatchQueue(label: "Trellis file signals")
  private let timer: any DispatchSourceTimer
  /// The events of the store's folder; nil if there are no events.
  private let events: (any DispatchSourceRead)?
  /// The number of calls since the last event.
  private var calls = 0
  private var lastCall = DispatchTime.now()

  /// The milliseconds between the calls after an event. A commit that waits for the disk takes a while.
  private static let pauses = [1, 5, 20, 100, 400, 1_600, 6_400]
  /// The interval between two calls while other processes keep writing.
  private static let interval = DispatchTimeInterval.milliseconds(5)
  /// The interval without events.
  private static let slowInterval = DispatchTimeInterval.milliseconds(100)

  init(_ path: String, _ body: @escaping @Sendable () -> Void) {
    let url = URL(fileURLWithPath: path)
    self.body = body
    timer = DispatchSource.makeTimerSource(queue: queue)
    let descriptor = Self.watch(url.deletingLastPathComponent().path)
    if let descriptor {
      events = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      timer.schedule(deadline: .distantFuture)
    } else {
      events = nil
      timer.schedule(deadline: .now(), repeating: Self.slowInterval)
    }
    timer.setEventHandler { [weak self] in self?.call() }
    timer.activate()
    guard let descriptor else { return }
    // The names of the database and its WAL begin so.
    let name = url.lastPathComponent
    events?.setEventHandler { [weak self] in
      if Self.hasEvent(of: name, descriptor) { self?.noteEvent() }
    }
    events?.setCancelHandler { close(descriptor) }
    events?.activate()
  }

  deinit {
    timer.cancel()
    events?.cancel()
  }

  private func noteEvent() {
    calls = 0
    timer.schedule(deadline: max(.now(), lastCall + Self.interval))
  }

  private func call() {
    lastCall = .now()
    body()
    guard events != nil, calls < Self.pauses.count else { return }
    timer.schedule(deadline: .now() + .milliseconds(Self.pauses[calls]))
    calls += 1
  }

  #if os(Linux) || os(Android)
    /// - Returns: a descriptor of the folder's events; nil beyond a limit of the system.
    private static func watch(_ folder: String) -> Int32? {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      if inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 { return descriptor }
      close(descriptor)
      return nil
    }

    /// Reads the waiting events.
    ///
    /// - Returns: true if one of them concerns a file whose name begins with `name`.
    private static func hasEvent(of name: String, _ descriptor: Int32) -> Bool {
      withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
        let length = read(descriptor, buffer.baseAddress, buffer.count)
        var isFound = false
        var position = 0
        while position + MemoryLayout<inotify_event>.size <= length {
          let event = buffer.load(fromByteOffset: position, as: inotify_event.self)
          position += MemoryLayout<inotify_event>.size
          let file = buffer[position..<position + Int(event.len)]
          isFound = isFound || event.mask & UInt32(IN_Q_OVERFLOW) != 0 || file.starts(with: name.utf8)
          position += Int(event.len)
        }
        return isFound
      }
    }
  #else
    private static func watch(_ folder: String) -> Int32? { nil }
    private static func hasEvent(of name: String, _ descriptor: Int32) -> Bool { false }
  #endif
}
