import Foundation
import Synchronization

#if os(Linux) || os(Android)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

  /// The system's events for files in folders.
  final class FolderEvents: Sendable {
    /// An event that is not limited to a folder.
    static let any = "*"

    private let queue = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    /// The number of folders above the system's limit for watched folders.
    private let unwatched = Atomic<Int>(0)
    private static let interval: Int32 = 100

    /// - Returns: the number of the folder in events.
    func add(_ folder: String) -> Int32 {
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
      let number = queue < 0 ? -1 : inotify_add_watch(queue, folder, mask)
      if number < 0 { unwatched.wrappingAdd(1, ordering: .relaxed) }
      return number
    }

    func remove(_ folder: Int32) {
      if folder < 0 {
        unwatched.wrappingSubtract(1, ordering: .relaxed)
      } else {
        inotify_rm_watch(queue, folder)
      }
    }

    /// Waits for something to happen: the number of the folder and the name of the file.
    ///
    /// - Parameter milliseconds: the longest wait; -1 for no limit. The result is empty after it.
    func wait(milliseconds: Int32) -> Set<String> {
      let isBlind = unwatched.load(ordering: .relaxed) > 0 || queue < 0
      let time = isBlind ? (milliseconds < 0 ? Self.interval : min(milliseconds, Self.interval)) : milliseconds
      var descriptor = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, time) > 0 else { return isBlind && milliseconds < 0 ? [Self.any] : [] }
      return read()
    }

    private func read() -> Set<String> {
      var events = Set<String>()
      withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
        guard let start = buffer.baseAddress else { return }
        let length = Foundation.read(queue, start, buffer.count)
        var position = 0
        while position + MemoryLayout<inotify_event>.size <= length {
          let event = (start + position).load(as: inotify_event.self)
          let name = start + position + MemoryLayout<inotify_event>.size
          position += MemoryLayout<inotify_event>.size + Int(event.len)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            events.insert(Self.any)
          } else if event.len > 0 {
            events.insert("\(event.wd) " + String(cString: name.assumingMemoryBound(to: CChar.self)))
          }
        }
      }
      return events
    }
  }
#else
  /// Looks for commits ten times per second, on systems that lack file events.
  final class FolderEvents: Sendable {
    static let any = "*"

    func add(_ folder: String) -> Int32 { 0 }
    func remove(_ folder: Int32) {}

    func wait(milliseconds: Int32) -> Set<String> {
      Thread.sleep(forTimeInterval: Double(milliseconds < 0 ? 100 : min(milliseconds, 100)) / 1_000)
      return milliseconds < 0 ? [Self.any] : []
    }
  }
#endif
