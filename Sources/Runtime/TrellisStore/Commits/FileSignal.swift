import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Calls a function when any process has written to a store's files.
///
/// The system reports an event when a transaction is written to the WAL, shortly before it is committed. The function
/// is therefore called several times. If the system has no events or a limit is reached, the function is called at
/// regular intervals.
final class FileSignal: CommitSignal, @unchecked Sendable {  // mutated only on `queue`
  private let body: @Sendable () -> Void
  private let queue = DispatchQueue(label: "Trellis file signals")
  private let timer: any DispatchSourceTimer
  /// The store folder's events; `nil` if events are unavailable.
  private let events: (any DispatchSourceRead)?
  /// The number of calls since the last event.
  private var calls = 0
  private var lastCall = DispatchTime.now()

  /// The delays in milliseconds between the calls after an event. A commit that waits for the disk takes a while.
  private static let pauses = [1, 5, 20, 100, 400, 1_600, 6_400]
  /// The interval between calls while other processes keep writing.
  private static let interval = DispatchTimeInterval.milliseconds(5)
  /// The interval between calls if events are unavailable.
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
    // The names of the database and its WAL start with this name.
    let name = url.lastPathComponent
    events?.setEventHandler { [weak self] in
      if Self.hasEvent(of: name, descriptor) { self?.recordEvent() }
    }
    events?.setCancelHandler { close(descriptor) }
    events?.activate()
  }

  deinit {
    timer.cancel()
    events?.cancel()
  }

  private func recordEvent() {
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
    /// - Returns: A descriptor for the folder's events; `nil` if a system limit is exceeded.
    private static func watch(_ folder: String) -> Int32? {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { return nil }
      if inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 { return descriptor }
      close(descriptor)
      return nil
    }

    /// Reads the pending events.
    ///
    /// - Returns: True if any event concerns a file whose name begins with `name`.
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
