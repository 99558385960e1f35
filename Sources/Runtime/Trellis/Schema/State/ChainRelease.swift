import Foundation

/// Lets models that hold each other in a chain go one after the other.
///
/// Left to itself the release of a model releases those it holds within its own, and a chain of some
/// ten thousand drafts ends the program for want of stack. A few levels may; what is held further down
/// waits until they are done.
enum ChainRelease {
  /// What a thread is releasing.
  private final class Progress {
    var depth = 0
    var waiting: [ModelLinks] = []
  }

  private static let deepest = 16

  /// Where a thread keeps its progress.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { progress in
      guard let progress = progress as UnsafeMutableRawPointer? else { return }
      Unmanaged<Progress>.fromOpaque(progress).release()
    }
    return key
  }()

  /// Releases what a dying model held, and then what that held.
  static func release(_ links: consuming ModelLinks) {
    let progress = current
    guard progress.depth < deepest else { return progress.waiting.append(links) }
    progress.depth += 1
    drop(links)
    if progress.depth == 1 {
      while let next = progress.waiting.popLast() { drop(next) }
    }
    progress.depth -= 1
  }

  private static var current: Progress {
    if let known = pthread_getspecific(key) {
      return Unmanaged<Progress>.fromOpaque(known).takeUnretainedValue()
    }
    let progress = Progress()
    pthread_setspecific(key, Unmanaged.passRetained(progress).toOpaque())
    return progress
  }

  /// The last of its references goes here.
  @inline(never) private static func drop(_ links: consuming ModelLinks) {}
}
