import Foundation

/// One answer of an observed fetch, with its sections.
struct ResultsState<Element: PersistentModel, SectionTitle: Hashable> {
  let models: [Element]
  let results: FetchResultsCollection<Element>
  let sections: SectionedResults<Element, SectionTitle>
  private let isSectioned: Bool

  init(_ models: [Element], _ grouping: KeyPath<Element, SectionTitle>?) {
    self.models = models
    self.results = FetchResultsCollection(count: models.count, batchSize: models.count) {
      $0.count == models.count ? models : Array(models[$0])
    }
    self.isSectioned = grouping != nil
    self.sections = SectionedResults(grouping.map { Self.grouped(models, by: $0) } ?? [])
  }

  private static func grouped(
    _ models: [Element], by keyPath: KeyPath<Element, SectionTitle>
  ) -> [ResultsSection<Element, SectionTitle>] {
    var titles: [SectionTitle] = []
    var members: [[Element]] = []
    var numbers: [SectionTitle: Int] = [:]
    for model in models {
      let title = model[keyPath: keyPath]
      let number = numbers[title] ?? titles.count
      if number == titles.count {
        numbers[title] = number
        titles.append(title)
        members.append([])
      }
      members[number].append(model)
    }
    return zip(titles, members).map { ResultsSection(title: $0, elements: $1) }
  }

  func element(at indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2 else { return nil }
    let (section, item) = (indexPath[0], indexPath[1])
    if !isSectioned {
      return section == 0 && models.indices.contains(item) ? models[item] : nil
    }
    guard sections.indices.contains(section), sections[section].indices.contains(item) else {
      return nil
    }
    return sections[section][item]
  }

  func indexPath(for element: Element) -> IndexPath? {
    if !isSectioned {
      return models.firstIndex { $0 === element }.map { IndexPath(indexes: [0, $0]) }
    }
    for (number, section) in sections.enumerated() {
      if let item = section.firstIndex(where: { $0 === element }) {
        return IndexPath(indexes: [number, item])
      }
    }
    return nil
  }

  /// Where every element is.
  var positions: [(path: IndexPath, section: SectionTitle?)] {
    guard isSectioned else {
      return models.indices.map { (IndexPath(indexes: [0, $0]), nil) }
    }
    var places: [ObjectIdentifier: (IndexPath, SectionTitle?)] = [:]
    for (number, section) in sections.enumerated() {
      for (item, model) in section.enumerated() {
        places[ObjectIdentifier(model)] = (IndexPath(indexes: [number, item]), section.title)
      }
    }
    return models.map { places[ObjectIdentifier($0)] ?? (IndexPath(), nil) }
  }

  /// Whether the same objects are in the same places.
  func isEqual(to other: Self) -> Bool {
    isSectioned == other.isSectioned && models.elementsEqual(other.models, by: ===)
      && sections.elementsEqual(other.sections) {
        $0.title == $1.title && $0.elementsEqual($1, by: ===)
      }
  }
}
