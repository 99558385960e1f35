import Foundation

/// An observed fetch's sections, in order of appearance in the results.
///
/// ```swift
/// let observer = try ResultsObserver(
///   sortBy: [SortDescriptor(\Trip.startDate)], sectionBy: \.destination, modelContext: context)
/// if let sections = observer.sections {
///   print(sections.sectionTitles)  // ["Bergen", "Oslo"]
///   print(sections[sectionTitle: "Oslo"]?.count ?? 0)
///   for section in sections { print(section.title, section.map(\.name)) }
/// }
/// ```
///
/// The value does not change; read ``ResultsObserver/sections`` again after an update.
public struct SectionedResults<Element: PersistentModel, SectionTitle: Hashable> {
  private var sections: [ResultsSection<Element, SectionTitle>] = []
  private var numbers: [SectionTitle: Int] = [:]

  /// Groups models by title. Models with equal titles form a single section, even if they are not adjacent.
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

  /// The section titles, in section order.
  public var sectionTitles: [SectionTitle] { sections.map(\.title) }

  /// Returns the section with a title, or `nil` if it does not exist. Takes constant time.
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

/// A section's title and elements, in result order.
///
/// ```swift
/// let observer = try ResultsObserver(
///   sortBy: [SortDescriptor(\Trip.startDate)], sectionBy: \.destination, modelContext: context)
/// if let oslo = observer.sections?[sectionTitle: "Oslo"] {
///   print(oslo.title, oslo.count)  // Oslo 3
///   print(oslo.first?.name ?? "")  // the earliest trip to Oslo
/// }
/// ```
///
/// A section has at least one element.
public struct ResultsSection<Element: PersistentModel, SectionTitle: Hashable>: Identifiable {
  /// The title shared by all elements.
  public let title: SectionTitle
  fileprivate var elements: [Element]

  /// The section title.
  public var id: SectionTitle { title }
}

extension ResultsSection: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }

  /// The element at a position.
  public subscript(position: Int) -> Element { elements[position] }
}

/// A fetch result and its sections.
struct ResultsState<Element: PersistentModel, SectionTitle: Hashable> {
  let models: [Element]
  let results: FetchResultsCollection<Element>
  /// `nil` for ungrouped results.
  let sections: SectionedResults<Element, SectionTitle>?
  /// Each section's range in `models`. A single range with all models for ungrouped results.
  private let ranges: [Range<Int>]

  init(_ fetched: [Element], _ sectioning: Sectioning<Element, SectionTitle>?) {
    let sections = sectioning.map { SectionedResults(fetched, by: $0.title) }
    // Keeps each section contiguous, even if the sort order separates strings that are equal in Swift.
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

  /// Each element's index path and section title.
  var positions: [(path: IndexPath, section: SectionTitle?)] {
    ranges.enumerated().flatMap { number, range in
      range.map { (IndexPath(indexes: [number, $0 - range.lowerBound]), sections?[number].title) }
    }
  }

  /// Returns true if the same objects are in the same places.
  func isEqual(to other: Self) -> Bool {
    guard models.elementsEqual(other.models, by: ===) else { return false }
    guard let sections, let others = other.sections else { return true }
    return sections.elementsEqual(others) { $0.title == $1.title && $0.count == $1.count }
  }
}

/// The grouping of an observer's results, with a sort order that keeps each group contiguous.
struct Sectioning<Element: PersistentModel, SectionTitle: Hashable> {
  let keyPath: PartialKeyPath<Element>
  let title: (Element) -> SectionTitle
  /// A single descriptor. Stored in an array because a stored `SortDescriptor` needs metadata that Foundation does not
  /// export, so release builds would not link.
  private let order: [SortDescriptor<Element>]
  /// The key paths whose sort descriptors sort by section, in any text order.
  private let ordersOfSections: [PartialKeyPath<Element>]

  /// Adds the section order to a fetch, before the descriptor's sort order.
  ///
  /// If the descriptor already starts with the section key path, its order is used.
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
  /// Groups results by a text property. `nil` and the empty string form a single section, in which `nil` comes first.
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
