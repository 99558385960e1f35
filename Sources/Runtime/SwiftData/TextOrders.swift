#if !canImport(ObjectiveC)
  public import Foundation
  import Trellis

  // On Apple's platforms, sorting by a text key path uses the Finder's order for file names by default. With Foundation
  // on Linux or `import Trellis`, text is sorted by code points.

  extension SortDescriptor {
    /// Sorts by text in natural order: numbers by value, accents and case only as tie-breakers.
    ///
    /// This is the default on Apple's platforms. Use `SortDescriptor(\.name, comparator: .lexical)` to sort by code
    /// points. Fetches sort in the store.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }

    /// Sorts by optional text in natural order, `nil` first.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }
  }

  extension KeyPathComparator {
    /// Compares text in natural order: numbers by value, accents and case only as tie-breakers.
    ///
    /// This is the default on Apple's platforms. Use `KeyPathComparator(\.name, comparator: .lexical)` to compare code
    /// points.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }

    /// Compares optional text in natural order, `nil` first.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }
  }
#endif
