import Foundation
import Trellis

/// Generic fetches for any model, as commonly found in server code.
struct GenericRepository<Model: PersistentModel> {
  let context: ModelContext

  func find(_ identifier: PersistentIdentifier) throws -> [Model] {
    try fetch(#Predicate { $0.persistentModelID == identifier })
  }

  func all(besides identifiers: [PersistentIdentifier]) throws -> [Model] {
    try fetch(#Predicate { !identifiers.contains($0.persistentModelID) })
  }

  /// Fetches by a key path that the caller provides.
  func all<V: Comparable & Codable & Sendable>(
    where keyPath: any KeyPath<Model, V> & Sendable, isAtLeast value: V,
    sortedBy sort: SortDescriptor<Model>
  ) throws -> [Model] {
    let predicate = Predicate<Model> { model in
      PredicateExpressions.build_Comparison(
        lhs: PredicateExpressions.build_KeyPath(root: model, keyPath: keyPath),
        rhs: PredicateExpressions.build_Arg(value), op: .greaterThanOrEqual)
    }
    return try fetch(predicate, [sort])
  }

  func fetch(
    _ predicate: Predicate<Model>, _ sort: [SortDescriptor<Model>] = []
  ) throws -> [Model] {
    try context.fetch(FetchDescriptor(predicate: predicate, sortBy: sort))
  }

  /// True if the store evaluates the filter.
  func runsInStore(_ predicate: Predicate<Model>) throws -> Bool {
    try FetchDescriptor(predicate: predicate).explain(in: context).runsInStore
  }
}

/// A protocol requirement that models satisfy with a stored property.
protocol Titled: PersistentModel {
  var title: String { get }
}

extension DiffGroup: Titled {}
extension DiffPart: Titled {}

extension GenericRepository where Model: Titled {
  func titled(_ title: String) throws -> [Model] {
    try fetch(#Predicate { $0.title == title })
  }

  func inOrder() throws -> [Model] {
    try context.fetch(FetchDescriptor<Model>(sortBy: [SortDescriptor(\.title)]))
  }

  func inLocalizedOrder() throws -> [Model] {
    try context.fetch(
      FetchDescriptor<Model>(sortBy: [SortDescriptor(\.title.localizedStandard)]))
  }
}

extension GenericRepository {
  /// Compares the results of generic code and plain Swift code.
  ///
  /// - Throws: ``Difference`` if the results differ.
  static func check(
    _ context: ModelContext, _ number: any KeyPath<Model, Int> & Sendable, _ values: [Int]
  ) throws {
    let repository = GenericRepository(context: context)
    let all = try context.fetch(FetchDescriptor<Model>())
    for model in all.prefix(5) {
      let identifier = model.persistentModelID
      try Self.expect(try repository.find(identifier), [model], "by identifier")
      try Self.expect(
        try repository.all(besides: [identifier]),
        all.filter { $0.persistentModelID != identifier }, "besides")
      guard try repository.runsInStore(#Predicate { $0.persistentModelID == identifier }) else {
        throw Difference(description: "\(Model.self): the identifier is not translated")
      }
    }
    for value in values {
      let found = try repository.all(
        where: number, isAtLeast: value, sortedBy: SortDescriptor(\.persistentModelID))
      try Self.expect(found, all.filter { $0[keyPath: number] >= value }, "at least \(value)")
    }
  }

  static func expect(_ found: [Model], _ expected: [Model], _ what: String) throws {
    guard found.map(\.persistentModelID) != expected.map(\.persistentModelID) else { return }
    throw Difference(
      description: "\(Model.self) \(what): \(found.count) instead of \(expected.count)")
  }
}

extension GenericRepository where Model: Titled {
  /// Compares results for a protocol requirement.
  static func checkTitles(_ context: ModelContext, _ titles: [String]) throws {
    let repository = GenericRepository(context: context)
    let all = try context.fetch(FetchDescriptor<Model>())
    for title in titles {
      try Self.expect(
        try repository.titled(title), all.filter { $0.title == title }, "titled \(title)")
    }
    func sorted(_ areInOrder: (Model, Model) -> Bool) -> [Model] {
      all.enumerated().sorted { lhs, rhs in
        if areInOrder(lhs.element, rhs.element) { return true }
        return !areInOrder(rhs.element, lhs.element) && lhs.offset < rhs.offset
      }.map(\.element)
    }
    try Self.expect(try repository.inOrder(), sorted { $0.title < $1.title }, "by title")
    try Self.expect(
      try repository.inLocalizedOrder(),
      sorted { $0.title.localizedStandard < $1.title.localizedStandard }, "by localized title")
  }
}
