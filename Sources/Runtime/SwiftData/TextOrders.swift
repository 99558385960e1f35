#if !canImport(ObjectiveC)
  public import Foundation
  import Trellis

  // On Apple's platforms, text key paths are sorted like file names in the Finder by default. Foundation on Linux and
  // `import Trellis` sort by code points.

  extension SortDescriptor {
    /// Sorts by text in natural order: numbers by value, accents and case only as tie-breakers.
    ///
    /// This is the order of Apple's platforms. Use `SortDescriptor(\.name, comparator: .lexical)` to sort by code
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
    /// This is the order of Apple's platforms. Use `KeyPathComparator(\.name, comparator: .lexical)` to compare code
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
