/// What a history keeps of a deleted model: the attributes marked `preserveValueOnDeletion`.
///
///     let name = deletion.tombstone[\.name] as? String
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
  private let keyPaths: [any PartialKeyPath<Model> & Sendable]
  private let values: [any Sendable]

  /// A tombstone with those values, in that order. SwiftData has no public initialiser, so that no
  /// store but its own could keep tombstones.
  public init(_ values: [(keyPath: any PartialKeyPath<Model> & Sendable, value: any Sendable)]) {
    // Not by key paths: in generic code each time one is made anew.
    self.keyPaths = values.map { $0.keyPath }
    self.values = values.map { $0.value }
  }

  /// The value an attribute had; nil for one that was not preserved.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    keyPaths.firstIndex { $0 == keyPath }.map { values[$0] }
  }
}

extension HistoryTombstone: Sequence {
  /// A value of an attribute.
  public typealias Element = Any

  /// The preserved values, one after the other.
  public struct Iterator: IteratorProtocol {
    private var rest: IndexingIterator<[any Sendable]>

    init(_ values: [any Sendable]) { rest = values.makeIterator() }

    /// The next value; nil after the last one.
    public mutating func next() -> Any? { rest.next() }
  }

  /// The preserved values in the order of declaration.
  public func makeIterator() -> Iterator { Iterator(values) }
}
