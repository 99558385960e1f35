import Foundation

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
  init(_ keyPath: KeyPath<Element, String>) {
    self.init(
      keyPath: keyPath, title: { $0[keyPath: keyPath] },
      order: [SortDescriptor(keyPath.sendable, comparator: .lexical)],
      ordersOfSections: [keyPath] + TextOrder.allCases.map { keyPath.appending(path: $0.keyPath) })
  }

  /// Nil and the empty text are one section; elements without a text come first in it.
  init(_ keyPath: KeyPath<Element, String?>) {
    self.init(
      keyPath: keyPath, title: { $0[keyPath: keyPath] ?? "" },
      order: [SortDescriptor(keyPath.sendable, comparator: .lexical)],
      ordersOfSections: [keyPath] + TextOrder.allCases.map { keyPath.appending(path: $0.optionalKeyPath) })
  }
}
