import Foundation

extension ModelContext {
  /// The transactions in the histories of the container's stores that match.
  ///
  /// Those of one store come in the order it gives them; those of several are put in the order the
  /// descriptor asks for, by time when it asks for none.
  ///
  ///     let news = try context.fetchHistory(HistoryDescriptor<MyTransaction>())
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature`` when no store of the container is
  ///   ``HistoryProviding`` with such transactions; what the stores throw.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
    var found: [[T]] = []
    for store in container.stores {
      if let some = try container.withScope({ try store.fetchHistory(descriptor) }) {
        found.append(some)
      }
    }
    guard let first = found.first else { throw DataStoreError.unsupportedFeature }
    guard found.count > 1 else { return first }
    let comparators = descriptor.sortBy.map(\.settled)
    let merged = found.joined().sorted { lhs, rhs in
      for comparator in comparators {
        switch comparator.compare(lhs, rhs) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return lhs.timestamp < rhs.timestamp
    }
    guard descriptor.fetchLimit > 0 else { return merged }
    return Array(merged.prefix(Int(clamping: descriptor.fetchLimit)))
  }

  /// Forgets the transactions that match, in every store that has such transactions. Models stay.
  ///
  /// - Throws: ``DataStoreError/unsupportedFeature`` when no store of the container is
  ///   ``HistoryProviding`` with such transactions; what the stores throw.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    var isAnswered = false
    for store in container.stores {
      if try container.withScope({ try store.deleteHistory(descriptor) }) { isAnswered = true }
    }
    guard isAnswered else { throw DataStoreError.unsupportedFeature }
  }
}
