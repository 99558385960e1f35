import Foundation
import Synchronization
import Testing
import Trellis

/// Tests of stores that are called from one thread at a time.
@Suite struct LockOrderTests {
  /// A store that saves during a fetch must not deadlock with a save that waits for the store.
  @Test(.timeLimit(.minutes(60))) func storesCanSaveDuringAFetch() async throws {
    let configuration = ShelfConfiguration()
    let container = try KeepWorld.container(configuration)
    let isInside = Mutex(false)
    configuration.shelf.lies.fetched = { found in
      guard
        isInside.withLock({ inside in
          !inside
            && {
              inside = true; return true
            }()
        })
      else { return found }
      let other = ModelContext(container)
      // The code is unique, so the save reads the stored models.
      other.insert(Keep(code: "found"))
      #expect(throws: Never.self) { try other.save() }
      isInside.withLock { $0 = false }
      return found
    }
    await withCheckedContinuation { done in
      let group = DispatchGroup()
      for isSaving in [false, true] {
        group.enter()
        Thread {
          for number in 0..<50 {
            let context = ModelContext(container)
            if isSaving { context.insert(Keep(code: "\(number)")) }
            #expect(throws: Never.self) {
              if isSaving { try context.save() } else { _ = try context.fetch(FetchDescriptor<KeepTag>()) }
            }
          }
          group.leave()
        }.start()
      }
      group.notify(queue: .global()) { done.resume() }
    }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Keep>()) == 51)
  }
}
