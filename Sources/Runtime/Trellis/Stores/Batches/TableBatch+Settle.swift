/// Rows that take more than the statement: lists, and values another row has.
extension TableBatch {
  /// Does for a row whatever it takes beyond the statement.
  func settle(_ snapshot: DefaultSnapshot) throws {
    let refused = refusal
    refusal = nil
    let lists = try binder.hasLists ? members(of: snapshot) : []
    guard let lists else { return try drop() }
    if refused == nil, !isHidden {
      // Only the lists were in the way so far.
      binder.hasLists = false
      if try write() { return try write(lists) }
      return try settle(snapshot, lists, refusal)
    }
    try settle(snapshot, lists, refused)
  }

  private func settle(
    _ snapshot: DefaultSnapshot, _ lists: [WrittenList], _ refused: SQLiteError?
  ) throws {
    refusal = nil
    switch try save.resolution(of: snapshot, row: row, plan, isForced: isUpsert) {
    case nil:
      if let refused { throw refused }
      try statement.run()
      try finish(row)
    case .reported: return try drop()
    case .kept(let existing):
      binder.discardFiles()
      try noteMerge(with: existing, isKept: true)
    case .overwritten(let existing):
      binder.discardFiles()
      try noteMerge(with: existing)
    }
    try write(lists)
  }
}
