// Each type of element would have its own copy of these functions of the standard library in each module of
// the compiler, and every user compiles them.

extension Sequence {
  /// The elements in an order; equal ones stay in theirs.
  @inline(never) package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
    sorted(by: isBefore)
  }

  /// The elements in the order of their names.
  @inline(never) package func ordered(by name: (Element) -> String) -> [Element] {
    sorted { name($0) < name($1) }
  }

  /// The elements with each key, in their order.
  @inline(never) package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [Key: [Element]] {
    Dictionary(grouping: self, by: key)
  }

  /// The elements by name; of several with one name, the first.
  @inline(never) package func keyed(by name: (Element) -> String) -> [String: Element] {
    Dictionary(map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Sequence<String> {
  @inline(never) package func ordered() -> [String] { sorted() }
}

extension Array {
  /// Where the element with each name is; of several with one name, the first.
  @inline(never) package func positions(by name: (Element) -> String) -> [String: Int] {
    Dictionary(enumerated().map { (name($1), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Dictionary {
  /// Of several values with one key, the first.
  @inline(never) package init(firstOf pairs: [(Key, Value)]) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension String {
  /// The parts between separators, empty ones left out: of a path or of the name of a nested type.
  @inline(never) package func parts(separatedBy separator: Character) -> [String] {
    split(separator: separator).map(String.init)
  }

  /// The words between spaces. Swift has code for each element of a literal of a set, and none for a long string.
  package var words: Set<String> { Set(parts(separatedBy: " ")) }
}
