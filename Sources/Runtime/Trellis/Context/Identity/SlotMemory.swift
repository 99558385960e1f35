import Foundation

/// The slots of a ``RowMap``.
///
/// Many of them come from the system and go back there. Left to the heap, freeing a large map makes
/// the heap tidy up after everything that was ever freed in it, and changes what the heap does with
/// large arrays afterwards: that took half of the time of releasing 100,000 models.
struct SlotMemory {
  let slots: UnsafeMutablePointer<RowMap.Slot>
  let capacity: Int
  private let isMapped: Bool

  private static let mapped = 4096

  init(capacity: Int) {
    self.capacity = capacity
    if capacity >= Self.mapped,
      let memory = mmap(
        nil, capacity * MemoryLayout<RowMap.Slot>.stride, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), memory != MAP_FAILED
    {
      // Zeros: no object anywhere.
      slots = memory.bindMemory(to: RowMap.Slot.self, capacity: capacity)
      isMapped = true
      return
    }
    isMapped = false
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: RowMap.Slot(key: 0, object: nil), count: capacity)
  }

  func free() {
    if isMapped {
      munmap(slots, capacity * MemoryLayout<RowMap.Slot>.stride)
    } else {
      slots.deallocate()
    }
  }
}
