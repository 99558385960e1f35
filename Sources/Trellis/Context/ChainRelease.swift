import Foundation

/// Lets models that hold each other in a chain go one after the other.
///
/// Left to itself the release of a model releases those it holds within its own, and a chain of some
/// ten thousand drafts ends the program for want of stack.
enum ChainRelease {
  private final class Queue {
    var links: [ModelLinks] = []
  }

  /// Where a thread that is releasing a chain keeps its queue.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Releases what a dying model held, and then what that held.
  static func release(_ links: consuming ModelLinks) {
    if let running = pthread_getspecific(key) {
      Unmanaged<Queue>.fromOpaque(running).takeUnretainedValue().links.append(links)
      return
    }
    let queue = Queue()
    queue.links.append(links)
    pthread_setspecific(key, Unmanaged.passUnretained(queue).toOpaque())
    defer { pthread_setspecific(key, nil) }
    while !queue.links.isEmpty { _ = queue.links.removeLast() }
  }
}
