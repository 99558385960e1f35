import Foundation
import Trellis

/// Checks all combinations of filter, order, limit and offset for every query type.
extension ConformanceCheck {
  static let answers: [ConformanceCheck] = [
    ConformanceCheck(.fetching, "fetches in every combination of filter, order, limit and offset") {
      store in
      try ask(store, "fetch") { context, descriptor in
        try context.fetch(descriptor).map(\.pages)
      }
    },
    ConformanceCheck(.fetching, "counts in every combination") { store in
      try compare(store, "fetchCount") { context, question, wanted in
        try expect(
          "fetchCount \(question)", try context.fetchCount(question.descriptor), wanted.count)
      }
    },
    ConformanceCheck(.fetching, "fetches identifiers in every combination") { store in
      try ask(store, "fetchIdentifiers") { context, descriptor in
        try context.fetchIdentifiers(descriptor).compactMap {
          (context.model(for: $0) as? ConformanceBook)?.pages
        }
      }
    },
    ConformanceCheck(.fetching, "pages without overlap or gap") { store in
      let context = try library(store)
      for (name, predicate, matches) in Filter.all {
        var seen: [Int] = []
        for page in 0..<10 {
          // Several books share a title, so the second sort key determines their order.
          var descriptor = FetchDescriptor(
            predicate: predicate, sortBy: [SortDescriptor(\.title), SortDescriptor(\.pages)])
          descriptor.fetchOffset = page * 3
          descriptor.fetchLimit = 3
          seen += try context.fetch(descriptor).map(\.pages)
        }
        try expect("ten pages of 3 \(name)", seen.sorted(), Book.all.filter(matches).map(\.pages))
      }
    },
  ]

  /// A book as a plain value, which Swift filters for comparison.
  private struct Book {
    let title: String
    let pages: Int
    let price: Double?

    static let all = (0..<20).map { number in
      Book(
        title: ["b", "a", "B", "\u{e9}", "z"][number % 5], pages: number,
        price: number % 3 == 0 ? nil : Double(20 - number))
    }
  }

  private enum Filter {
    static var all: [(String, Predicate<ConformanceBook>?, (Book) -> Bool)] {
      [
        ("of everything", nil, { _ in true }),
        ("where pages >= 7", #Predicate { $0.pages >= 7 }, { $0.pages >= 7 }),
        ("where price > 6", #Predicate { ($0.price ?? 0) > 6 }, { ($0.price ?? 0) > 6 }),
        (
          "where title == 'a' or price == nil",
          #Predicate { $0.title == "a" || $0.price == nil }, { $0.title == "a" || $0.price == nil }
        ),
        ("of nothing", #Predicate { $0.pages > 100 }, { $0.pages > 100 }),
      ]
    }
  }

  private enum Order {
    static var all: [(String, [SortDescriptor<ConformanceBook>], ((Book, Book) -> Bool)?)] {
      [
        ("unordered", [], nil),
        ("by pages", [SortDescriptor(\.pages)], { $0.pages < $1.pages }),
        (
          "by pages, descending", [SortDescriptor(\.pages, order: .reverse)], { $0.pages > $1.pages }
        ),
        (
          "by price (nil first), then pages",
          [SortDescriptor(\.price), SortDescriptor(\.pages)],
          {
            switch ($0.price, $1.price) {
            case (nil, nil): $0.pages < $1.pages
            case (nil, _): true
            case (_, nil): false
            case (let first?, let second?): (first, $0.pages) < (second, $1.pages)
            }
          }
        ),
      ]
    }
  }

  private struct Question: CustomStringConvertible {
    let descriptor: FetchDescriptor<ConformanceBook>
    let description: String
    let isOrdered: Bool
    /// The indices of the books that satisfy the filter.
    let matches: Set<Int>
  }

  private static func library(_ store: ConformanceStore) throws -> ModelContext {
    let container = try store.container()
    let context = ModelContext(container)
    for book in Book.all.reversed() {
      context.insert(ConformanceBook(title: book.title, pages: book.pages, price: book.price))
    }
    context.insert(ConformanceShelf(label: "not a book"))
    try context.save()
    return ModelContext(container)
  }

  private static func compare(
    _ store: ConformanceStore, _ operation: String,
    _ body: (ModelContext, Question, [Int]) throws -> Void
  ) throws {
    let context = try library(store)
    for (filterName, predicate, matches) in Filter.all {
      let found = Book.all.filter(matches)
      for (orderName, sortBy, order) in Order.all {
        let sorted = (order.map { found.sorted(by: $0) } ?? found).map(\.pages)
        for limit in [nil, 0, 1, 3, 100] as [Int?] {
          for offset in [nil, 0, 2, 19, 30] as [Int?] {
            var descriptor = FetchDescriptor(predicate: predicate, sortBy: sortBy)
            descriptor.fetchLimit = limit
            descriptor.fetchOffset = offset
            let text =
              "\(filterName), \(orderName), limit \(limit.map(String.init) ?? "none"), "
              + "offset \(offset.map(String.init) ?? "none")"
            let wanted = sorted.dropFirst(offset ?? 0).prefix(limit ?? .max)
            try body(
              context,
              Question(
                descriptor: descriptor, description: text, isOrdered: order != nil,
                matches: Set(sorted)),
              Array(wanted))
          }
        }
      }
    }
  }

  private static func ask(
    _ store: ConformanceStore, _ operation: String,
    _ answer: (ModelContext, FetchDescriptor<ConformanceBook>) throws -> [Int]
  ) throws {
    try compare(store, operation) { context, question, wanted in
      let seen = try attempt("\(operation) \(question)") { try answer(context, question.descriptor) }
      guard !question.isOrdered else {
        return try expect("\(operation) \(question)", seen, wanted)
      }
      // If no order is requested, any matches are correct if the count is correct and there are no duplicates.
      try expect("\(operation) \(question): count", seen.count, wanted.count)
      try expect("\(operation) \(question): distinct count", Set(seen).count, wanted.count)
      try expect(
        "\(operation) \(question): models that do not match", Set(seen).subtracting(question.matches), [])
    }
  }
}
