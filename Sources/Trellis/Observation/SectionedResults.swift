/// The sections of an observed fetch, in the order in which their titles appear in the results.
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable> {
  private let sections: [ResultsSection<Element, SectionTitle>]

  init(_ sections: [ResultsSection<Element, SectionTitle>]) { self.sections = sections }
}

extension SectionedResults: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { sections.count }

  /// The section at a position.
  public subscript(position: Int) -> ResultsSection<Element, SectionTitle> { sections[position] }
}

/// The results with one title, in the order of the results. There is one section a title, wherever
/// its elements are.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>: Identifiable {
  /// What the elements have in common.
  public let title: SectionTitle
  private let elements: [Element]

  init(title: SectionTitle, elements: [Element]) {
    self.title = title
    self.elements = elements
  }

  /// The title.
  public var id: SectionTitle { title }
}

extension ResultsSection: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }

  /// The element at a position.
  public subscript(position: Int) -> Element { elements[position] }
}
