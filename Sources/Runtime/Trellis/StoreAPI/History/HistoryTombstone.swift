/// The values that a history preserves of a deleted model: its attributes marked `preserveValueOnDeletion`.
///
///     let name = deletion.tombstone[\.name] as? String
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
  private let keyPaths: [any PartialKeyPath<Model> & Sendable]
  private let values: [any Sendable]

  /// Creates a tombstone with the values in the given order. The initialiser is not public in SwiftData, so custom
  /// stores cannot create tombstones there.
  public init(_ values: [(keyPath: any PartialKeyPath<Model> & Sendable, value: any Sendable)]) {
    // Not a dictionary by key path: generic code creates a new object for each key path.
    self.keyPaths = values.map { $0.keyPath }
    self.values = values.map { $0.value }
  }

  /// The value of an attribute before the deletion; nil if the attribute was not preserved.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    keyPaths.firstIndex { $0 == keyPath }.map { values[$0] }
  }
}

extension HistoryTombstone: Sequence {
  /// The value of an attribute.
  public typealias Element = Any

  /// An iterator over the preserved values.
  public struct Iterator: IteratorProtocol {
    private var rest: IndexingIterator<[any Sendable]>

    init(_ values: [any Sendable]) { rest = values.makeIterator() }

    /// The next value; nil after the last one.
    public mutating func next() -> Any? { rest.next() }
  }

  /// Returns an iterator over the preserved values, in declaration order.
  public func makeIterator() -> Iterator { Iterator(values) }
}
