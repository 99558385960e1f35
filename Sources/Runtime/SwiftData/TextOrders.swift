#if !canImport(ObjectiveC)
  public import Foundation
  import Trellis

  // On Apple's platforms, a key path to a text without a comparator sorts as the Finder does. Foundation on Linux sorts
  // by code points, and so does `import Trellis`.

  extension SortDescriptor {
    /// Sorts by a text as people expect: numbers by value, accents and case only between equals.
    ///
    /// This is the order of Apple's platforms. `SortDescriptor(\.name, comparator: .lexical)` sorts by code points. A
    /// fetch sorts in the store.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }

    /// Sorts by an optional text as people expect, nil first.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }
  }

  extension KeyPathComparator {
    /// Compares a text as people expect: numbers by value, accents and case only between equals.
    ///
    /// This is the order of Apple's platforms. `KeyPathComparator(\.name, comparator: .lexical)` compares code points.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }

    /// Compares an optional text as people expect, nil first.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
      self.init(keyPath.appending(path: \.localizedStandard).sendable, order: order)
    }
  }
#endif
