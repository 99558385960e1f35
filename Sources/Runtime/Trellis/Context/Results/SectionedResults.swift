import Foundation

/// The sections of an observed fetch, in the order of their titles in the results.
///
///     observer.sections?.sectionTitles                 // ["Bergen", "Oslo"]
///     observer.sections?[sectionTitle: "Oslo"]?.count
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable> {
  private var sections: [ResultsSection<Element, SectionTitle>] = []
  private var numbers: [SectionTitle: Int] = [:]

  /// Groups models; those with one title are one section, wherever they are.
  init(_ models: [Element], by title: (Element) -> SectionTitle) {
    for model in models {
      let title = title(model)
      if let number = numbers[title] {
        sections[number].elements.append(model)
      } else {
        numbers[title] = sections.count
        sections.append(ResultsSection(title: title, elements: [model]))
      }
    }
  }

  /// The titles of the sections, in their order.
  public var sectionTitles: [SectionTitle] { sections.map(\.title) }

  /// The section with a title; nil if missing. Takes the time of one look into a dictionary.
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
  fileprivate var elements: [Element]

  /// The title.
  public var id: SectionTitle { title }
}

extension ResultsSection: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }

  /// The element at a position.
  public subscript(position: Int) -> Element { elements[position] }
}

/// One answer of an observed fetch, with its sections.
struct ResultsState<Element: PersistentModel, SectionTitle: Hashable> {
  let models: [Element]
  let results: FetchResultsCollection<Element>
  /// Nil if there are no sections.
  let sections: SectionedResults<Element, SectionTitle>?
  /// The models of each section; without sections, all of them.
  private let ranges: [Range<Int>]

  init(_ fetched: [Element], _ sectioning: Sectioning<Element, SectionTitle>?) {
    let sections = sectioning.map { SectionedResults(fetched, by: $0.title) }
    // Each section in one piece, also where the order tells texts apart that are equal in Swift.
    let models = sections.map { Array($0.joined()) } ?? fetched
    self.models = models
    self.sections = sections
    var end = 0
    ranges = (sections?.map(\.count) ?? [models.count]).map { count in
      defer { end += count }
      return end..<end + count
    }
    self.results = FetchResultsCollection(count: models.count, batchSize: models.count) {
      $0.count == models.count ? models : Array(models[$0])
    }
  }

  func element(at indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2, ranges.indices.contains(indexPath[0]) else { return nil }
    let members = models[ranges[indexPath[0]]]
    return (0..<members.count).contains(indexPath[1]) ? members[members.startIndex + indexPath[1]] : nil
  }

  func indexPath(for element: Element) -> IndexPath? {
    guard let index = models.firstIndex(where: { $0 === element }),
      let section = ranges.firstIndex(where: { $0.contains(index) })
    else { return nil }
    return IndexPath(indexes: [section, index - ranges[section].lowerBound])
  }

  /// Where every element is.
  var positions: [(path: IndexPath, section: SectionTitle?)] {
    ranges.enumerated().flatMap { number, range in
      range.map { (IndexPath(indexes: [number, $0 - range.lowerBound]), sections?[number].title) }
    }
  }

  /// Whether the same objects are in the same places.
  func isEqual(to other: Self) -> Bool {
    guard models.elementsEqual(other.models, by: ===) else { return false }
    guard let sections, let others = other.sections else { return true }
    return sections.elementsEqual(others) { $0.title == $1.title && $0.count == $1.count }
  }
}

/// What an observer groups its results by, and how it orders them so that every group is in one piece.
struct Sectioning<Element: PersistentModel, SectionTitle: Hashable> {
  let keyPath: PartialKeyPath<Element>
  let title: (Element) -> SectionTitle
  /// One descriptor. In an array, because a stored `SortDescriptor` needs metadata that Foundation does not export, and
  /// release builds do not link.
  private let order: [SortDescriptor<Element>]
  /// The key paths of descriptors that sort by the sections, in one order or another.
  private let ordersOfSections: [PartialKeyPath<Element>]

  /// A fetch with its order, the section first.
  ///
  /// A descriptor that begins with the key path of the sections decides on their order itself.
  func ordering(_ descriptor: FetchDescriptor<Element>) -> FetchDescriptor<Element> {
    guard let first = descriptor.sortBy.first?.keyPath, ordersOfSections.contains(first) else {
      var descriptor = descriptor
      descriptor.sortBy = order + descriptor.sortBy
      return descriptor
    }
    return descriptor
  }
}

extension Sectioning where SectionTitle == String {
  /// Nil and the empty text are one section; elements without a text come first in it.
  init<Text: OrderedValue>(_ keyPath: KeyPath<Element, Text>) where Text.Ordered == String {
    self.keyPath = keyPath
    title = { Text._$ordered($0[keyPath: keyPath]) ?? "" }
    if let keyPath = keyPath as? KeyPath<Element, String> {
      order = [SortDescriptor(keyPath.sendable, comparator: .lexical)]
      ordersOfSections = [keyPath] + TextOrder.allCases.map { keyPath.appending(path: $0.keyPath) }
    } else if let keyPath = keyPath as? KeyPath<Element, String?> {
      order = [SortDescriptor(keyPath.sendable, comparator: .lexical)]
      ordersOfSections = [keyPath] + TextOrder.allCases.map { keyPath.appending(path: $0.optionalKeyPath) }
    } else {
      (order, ordersOfSections) = ([], [keyPath])
    }
  }
}
