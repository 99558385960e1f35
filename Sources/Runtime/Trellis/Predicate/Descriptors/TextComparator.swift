#if !canImport(ObjectiveC)
  public import Foundation

  /// The orders of text that Foundation's `String.StandardComparator` has on Apple's platforms and not on
  /// Linux: a sort that names one compiles on both.
  ///
  ///     FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
  ///
  /// The orders are those of ``Swift/String/localizedStandard`` and ``Swift/String/localized``.
  public enum TextComparator: Sendable, Hashable, CaseIterable {
    /// As people expect in lists of files: numbers by value, accents and case only between equals.
    case localizedStandard
    /// As in a dictionary: the same with digits one by one.
    case localized

    var order: TextOrder {
      switch self {
      case .localizedStandard: .localizedStandard
      case .localized: .localized
      }
    }
  }

  extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a text in an order for people; a fetch does it in the store.
    public init(
      _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: TextComparator, order: SortOrder = .forward
    ) {
      self.init(keyPath.appending(path: comparator.order.keyPath).sendable, order: order)
    }

    /// Sorts by an optional text in an order for people, nil first; a fetch does it in the store.
    public init(
      _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: TextComparator, order: SortOrder = .forward
    ) {
      self.init(keyPath.appending(path: comparator.order.optionalKeyPath).sendable, order: order)
    }
  }
#endif
