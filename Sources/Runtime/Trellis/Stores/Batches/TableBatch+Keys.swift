/// The keys of the rows of a batch: handed out in order, sooner where a snapshot refers to a later one.
extension TableBatch {
  func beginRow() throws {
    if nextKey == endKey {
      let size = min(max(64, Int64(count)), 4096)
      nextKey = try store.keys.take(Int(size), of: plan.entity, connection)
      endKey = nextKey + size
    }
    row = nextKey
    nextKey &+= 1
    wasExpected = false
  }

  /// Gives snapshots that are all there their rows beforehand: references among them then change
  /// nothing about the order of the rows.
  func plan(_ count: Int) throws {
    guard count > 0 else { return }
    nextPlanned = try store.keys.take(count, of: plan.entity, connection)
    lastPlanned = nextPlanned
  }

  func plan(_ identifier: PersistentIdentifier) {
    guard identifier.isTemporary, let serial = identifier.row, save.keys[serial] == nil else { return }
    save.keys[serial] = lastPlanned
    lastPlanned += 1
  }

  func track(_ serial: Int64) {
    if let planned = save.keys[serial], planned == nextPlanned, planned < lastPlanned {
      returnKey()
      row = planned
      nextPlanned += 1
      wasExpected = true
      return
    }
    guard let known = save.keys[serial] else {
      save.keys[serial] = row
      return
    }
    // A second snapshot of one identifier is a row of its own; who refers to it means the first.
    guard expected.remove(serial) != nil else { return }
    returnKey()
    row = known
    wasExpected = true
  }

  /// The key of the current row is not needed after all.
  func returnKey() {
    if nextKey == row + 1, nextKey > 0 { nextKey = row }
  }

  /// The row of a snapshot of this batch, which may be still to come.
  func expectedRow(_ serial: Int64) throws -> Int64 {
    if let known = save.keys[serial] { return known }
    let current = (row, wasExpected)
    try beginRow()
    let expectation = row
    (row, wasExpected) = current
    save.keys[serial] = expectation
    expected.insert(serial)
    return expectation
  }
}
