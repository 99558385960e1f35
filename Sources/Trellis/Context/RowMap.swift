/// Objects by row number, not retained: open addressing, sixteen bytes a slot.
///
/// Runs of eight neighbouring keys share a cache line (measured: a quarter off a cold fetch against
/// plain multiplicative hashing). Removal leaves a tombstone; growing drops them.
struct RowMap: ~Copyable {
  struct Slot {
    var key: Int64
    var object: UnsafeMutableRawPointer?
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var capacity: Int
  private var shift: UInt64
  /// Live entries and tombstones.
  private var used = 0
  private(set) var count = 0

  /// The object of a tombstone: an address no object has.
  private static var tombstone: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

  init() {
    capacity = 16
    shift = 60
    slots = Self.allocate(capacity)
  }

  deinit { slots.deallocate() }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Slot> {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    slots.initialize(repeating: Slot(key: 0, object: nil), count: capacity)
    return slots
  }

  private func home(_ key: Int64) -> Int {
    let bits = UInt64(bitPattern: key)
    let block = ((bits >> 3) &* 0x9E37_79B9_7F4A_7C15) >> shift
    return (Int(truncatingIfNeeded: block) &+ Int(truncatingIfNeeded: bits & 7)) & (capacity - 1)
  }

  subscript(key: Int64) -> UnsafeMutableRawPointer? {
    var index = home(key)
    while let object = slots[index].object {
      if slots[index].key == key, object != Self.tombstone { return object }
      index = (index + 1) & (capacity - 1)
    }
    return nil
  }

  mutating func insert(_ object: UnsafeMutableRawPointer, for key: Int64) {
    if (used + 1) * 5 > capacity * 4 { grow() }
    var index = home(key)
    var free: Int?
    while let existing = slots[index].object {
      if existing == Self.tombstone {
        if free == nil { free = index }
      } else if slots[index].key == key {
        slots[index].object = object
        return
      }
      index = (index + 1) & (capacity - 1)
    }
    if free == nil { used += 1 }
    slots[free ?? index] = Slot(key: key, object: object)
    count += 1
  }

  /// Enters an object unless another one has the key; returns that one.
  mutating func claim(
    _ object: UnsafeMutableRawPointer, for key: Int64
  ) -> UnsafeMutableRawPointer? {
    if let other = self[key] { return other == object ? nil : other }
    insert(object, for: key)
    return nil
  }

  mutating func remove(_ key: Int64) {
    var index = home(key)
    while let object = slots[index].object {
      if slots[index].key == key, object != Self.tombstone {
        slots[index].object = Self.tombstone
        count -= 1
        if count == 0 { removeAll() }
        return
      }
      index = (index + 1) & (capacity - 1)
    }
  }

  /// Forgets every key, keeping the memory of a small map only.
  mutating func removeAll() {
    if capacity > 1024 {
      slots.deallocate()
      capacity = 16
      shift = 60
      slots = Self.allocate(capacity)
    } else {
      slots.update(repeating: Slot(key: 0, object: nil), count: capacity)
    }
    used = 0
    count = 0
  }

  /// Calls `body` with every object; the map must not change meanwhile.
  func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
    for index in 0..<capacity {
      if let object = slots[index].object, object != Self.tombstone { body(object) }
    }
  }

  /// Makes room for `additional` more entries at once.
  mutating func reserve(_ additional: Int) {
    while (count + additional) * 5 > capacity * 4 { grow(force: true) }
  }

  private mutating func grow(force: Bool = false) {
    let old = slots
    let oldCapacity = capacity
    if force || count * 2 >= capacity {
      capacity *= 2
      shift -= 1
    }
    slots = Self.allocate(capacity)
    used = count
    for index in 0..<oldCapacity {
      guard let object = old[index].object, object != Self.tombstone else { continue }
      var target = home(old[index].key)
      while slots[target].object != nil { target = (target + 1) & (capacity - 1) }
      slots[target] = old[index]
    }
    old.deallocate()
  }
}
