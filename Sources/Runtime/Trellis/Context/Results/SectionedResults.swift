/// The sections of an observed fetch, in the order of their titles in the results.
///
///     observer.sections?.sectionTitles                 // ["Bergen", "Oslo"]
///     observer.sections?[sectionTitle: "Oslo"]?.count
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable> {
  private let sections: [ResultsSection<Element, SectionTitle>]
  private let numbers: [SectionTitle: Int]

  /// Groups models; those with one title are one section, wherever they are.
  init(_ models: [Element], by title: (Element) -> SectionTitle) {
    var titles: [SectionTitle] = []
    var members: [[Element]] = []
    var numbers: [SectionTitle: Int] = [:]
    for model in models {
      let title = title(model)
      let number = numbers[title] ?? titles.count
      if number == titles.count {
        numbers[title] = number
        titles.append(title)
        members.append([])
      }
      members[number].append(model)
    }
    sections = zip(titles, members).map { ResultsSection(title: $0, elements: $1) }
    self.numbers = numbers
  }

  /// The titles of the sections, in their order.
  public var sectionTitles: [SectionTitle] { sections.map(\.title) }

  /// The section with a title; nil where there is none. Takes the time of one look into a dictionary.
  public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
    numbers[title].map { sections[$0] }
  }
}

extension SectionedResults: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { sections.count }

  /// The section at a position.
  public subscript(position: Int) -> ResultsSection<Element, SectionTitle> { sections[position] }
}

/// The results with one title, in the order of the results.
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
