// Wrappers that are never inlined: otherwise each compiler module would contain, and compile, its own copy of these
// standard library functions for every element type.

extension Sequence {
  /// Returns the elements sorted. Equal elements keep their order.
  @inline(never) package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
    sorted(by: isBefore)
  }

  /// Returns the elements sorted by name.
  @inline(never) package func ordered(by name: (Element) -> String) -> [Element] {
    sorted { name($0) < name($1) }
  }

  /// Returns the elements by key, in their original order.
  @inline(never) package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [Key: [Element]] {
    Dictionary(grouping: self, by: key)
  }

  /// Returns the elements by name. For duplicate names, the first element wins.
  @inline(never) package func keyed(by name: (Element) -> String) -> [String: Element] {
    Dictionary(map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Sequence<String> {
  @inline(never) package func ordered() -> [String] { sorted() }
}

extension Array {
  /// Returns the elements' positions by name. For duplicate names, the first element wins.
  @inline(never) package func positions(by name: (Element) -> String) -> [String: Int] {
    Dictionary(enumerated().map { (name($1), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Dictionary {
  /// Creates a dictionary. For duplicate keys, the first value wins.
  @inline(never) package init(firstOf pairs: [(Key, Value)]) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension String {
  /// Returns the non-empty parts of a path or nested type name.
  @inline(never) package func parts(separatedBy separator: Character) -> [String] {
    split(separator: separator).map(String.init)
  }

  /// The words between spaces. A long string compiles to less code than a set literal, which has code for each
  /// element.
  package var words: Set<String> { Set(parts(separatedBy: " ")) }
}
