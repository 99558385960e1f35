import Foundation

/// One answer of an observed fetch, with its sections.
struct ResultsState<Element: PersistentModel, SectionTitle: Hashable> {
  let models: [Element]
  let results: FetchResultsCollection<Element>
  /// Nil without sections.
  let sections: SectionedResults<Element, SectionTitle>?

  init(_ fetched: [Element], _ sectioning: Sectioning<Element, SectionTitle>?) {
    let sections = sectioning.map { SectionedResults(fetched, by: $0.title) }
    // Each section in one piece, also where the order tells texts apart that are equal in Swift.
    let models = sections.map { Array($0.joined()) } ?? fetched
    self.models = models
    self.sections = sections
    self.results = FetchResultsCollection(count: models.count, batchSize: models.count) {
      $0.count == models.count ? models : Array(models[$0])
    }
  }

  func element(at indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2 else { return nil }
    let (section, item) = (indexPath[0], indexPath[1])
    guard let sections else {
      return section == 0 && models.indices.contains(item) ? models[item] : nil
    }
    guard sections.indices.contains(section), sections[section].indices.contains(item) else {
      return nil
    }
    return sections[section][item]
  }

  func indexPath(for element: Element) -> IndexPath? {
    guard let sections else {
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
    guard let sections else {
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
    guard models.elementsEqual(other.models, by: ===) else { return false }
    guard let sections, let others = other.sections else { return true }
    return sections.elementsEqual(others) { $0.title == $1.title && $0.count == $1.count }
  }
}
