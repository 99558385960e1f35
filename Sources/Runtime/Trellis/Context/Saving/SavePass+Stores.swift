/// The stores of one save: all of them write before one commits.
extension SavePass {
  /// Writes the parts of a save. A part that has a result afterwards is saved, also when this throws.
  func write() throws {
    let waiting = parts.indices.filter { parts[$0].request != nil }
    for index in waiting where !parts[index].store.allowsSave {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "the store '\(parts[index].store.configurationName)' does not allow saving")
    }
    // Programs that save to several stores lock them in one order.
    let order =
      waiting.count < 2
      ? waiting
      : waiting.sorted { lhs, rhs in
        let (lhs, rhs) = (parts[lhs].store, parts[rhs].store)
        return (lhs.savingRank, lhs.identifier) < (rhs.savingRank, rhs.identifier)
      }
    try write(order[...])
  }

  /// Writes to the first store, then to all others, then commits the first one.
  private func write(_ order: ArraySlice<Int>) throws {
    guard let first = order.first, let request = parts[first].request else { return }
    let store = parts[first].store
    let rest = order.dropFirst()
    parts[first].isWriting = true
    let wasInStore = context.state.isInStore
    if store.savesByForeignCode { context.state.isInStore = true }
    defer { if context.state.isInStore != wasInStore { context.state.isInStore = wasInStore } }
    let result = try context.core.withScope {
      try IdentifierRemapping.$current.withValue(IdentifierRemapping()) {
        try store.save(
          request, recheck: { try remakeRequest(first) }, beforeCommit: rest.isEmpty ? nil : { try self.write(rest) })
      }
    }
    parts[first].result = result
  }
}
