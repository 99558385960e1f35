import Foundation
import Trellis

extension ConformanceCheck {
  static let fetching: [ConformanceCheck] = [
    ConformanceCheck(.fetching, "returns exactly the models in an entity") { store in
      let context = try filled(store)
      context.insert(ConformanceShelf(label: "shelf"))
      context.insert(ConformanceAuthor(name: "author"))
      try context.save()
      let other = ModelContext(context.container)
      try expect(
        "fetch without predicate", try other.fetch(FetchDescriptor<ConformanceBook>()).map(\.pages).sorted(),
        Array(0..<10))
      try expect("fetchCount without predicate", try other.fetchCount(FetchDescriptor<ConformanceShelf>()), 1)
      try expect(
        "fetchIdentifiers without predicate",
        Set(try other.fetchIdentifiers(FetchDescriptor<ConformanceAuthor>()).map(\.entityName)),
        ["ConformanceAuthor"])
    },
    ConformanceCheck(.fetching, "treats nil as Swift does") { store in
      let context = try filled(store)
      try expectPages(
        context, "fetch where price != 4", [0, 1, 2, 3, 5, 6, 7, 8, 9], #Predicate { $0.price != 4 })
      try expectPages(context, "fetch where price == nil", [1, 3, 5, 7, 9], #Predicate { $0.price == nil })
      try expectPages(
        context, "fetch where !(price == 4)", [0, 1, 2, 3, 5, 6, 7, 8, 9], #Predicate { !($0.price == 4) })
      try expectPages(
        context, "fetch where (price ?? 5) > 4", [1, 3, 5, 6, 7, 8, 9], #Predicate { ($0.price ?? 5) > 4 })
    },
    ConformanceCheck(.fetching, "compares text as Swift does") { store in
      let context = ModelContext(try store.container())
      let titles = ["cafe\u{301}", "caf\u{e9}", "CAFÉ", "a%b", "a_b", "axb", ""]
      for (number, title) in titles.enumerated() {
        context.insert(ConformanceBook(title: title, pages: number))
      }
      try context.save()
      let other = ModelContext(context.container)
      let cafe = "caf\u{e9}"
      try expectPages(other, "fetch where title == 'café'", [0, 1], #Predicate { $0.title == cafe })
      try expectPages(other, "fetch where title contains 'a%'", [3], #Predicate { $0.title.contains("a%") })
      try expectPages(
        other, "fetch where title starts with 'a_'", [4], #Predicate { $0.title.starts(with: "a_") })
      try expectPages(
        other, "fetch where title contains 'caf'", [0, 1], #Predicate { $0.title.contains("caf") })
      try expectPages(other, "fetch where title is empty", [6], #Predicate { $0.title.isEmpty })
    },
    ConformanceCheck(.fetching, "filters by identifiers, enums and through relationships") { store in
      let context = try filled(store)
      let author = ConformanceAuthor(name: "Ada")
      author.books = [ConformanceBook(title: "by Ada", pages: 20, genre: .poetry)]
      context.insert(author)
      try context.save()
      let other = ModelContext(context.container)
      let name = "Ada"
      let poetry = ConformanceGenre.poetry
      let wanted = author.persistentModelID
      try expectPages(other, "fetch where author.name == 'Ada'", [20], #Predicate { $0.author?.name == name })
      try expectPages(other, "fetch where genre == .poetry", [20], #Predicate { $0.genre == poetry })
      let byIdentifier = FetchDescriptor<ConformanceAuthor>(
        predicate: #Predicate { $0.persistentModelID == wanted })
      try expect("fetch by identifier", try other.fetch(byIdentifier).map(\.name), ["Ada"])
      let busy = FetchDescriptor<ConformanceAuthor>(
        predicate: #Predicate { $0.books.contains { $0.pages == 20 } })
      try expect("fetch where a list contains a match", try other.fetch(busy).map(\.name), ["Ada"])
      try expect("fetchCount where a list contains a match", try other.fetchCount(busy), 1)
    },
    ConformanceCheck(.fetching, "includes pending changes") { store in
      let context = try filled(store)
      context.insert(ConformanceBook(title: "book 99", pages: 99))
      let books = try context.fetch(FetchDescriptor<ConformanceBook>(sortBy: [SortDescriptor(\.pages)]))
      books[0].pages = 50
      context.delete(books[9 - 0])
      let descriptor = FetchDescriptor<ConformanceBook>(
        predicate: #Predicate { $0.pages > 7 }, sortBy: [SortDescriptor(\.pages)])
      try expect("fetch with pending changes", try context.fetch(descriptor).map(\.pages), [8, 50, 99])
      try expect("fetchCount with pending changes", try context.fetchCount(descriptor), 3)
    },
    ConformanceCheck(.fetching, "creates a single object per row") { store in
      let context = try filled(store)
      let first = try context.fetch(FetchDescriptor<ConformanceBook>(sortBy: [SortDescriptor(\.pages)]))
      let again = try context.fetch(
        FetchDescriptor<ConformanceBook>(sortBy: [SortDescriptor(\.pages, order: .reverse)]))
      try expect(
        "two fetches in the same context: identical objects",
        zip(first, again.reversed()).allSatisfy { $0 === $1 }, true)
    },
    ConformanceCheck(.fetching, "finds a model by identifier") { store in
      let context = try filled(store)
      let wanted = try context.fetchIdentifiers(
        FetchDescriptor<ConformanceBook>(predicate: #Predicate { $0.pages == 6 }))
      let other = ModelContext(context.container)
      for identifier in wanted {
        let model = other.model(for: identifier) as? ConformanceBook
        try expect("model(for:) in a second context", model?.pages, 6)
      }
      try expect("fetchIdentifiers where pages == 6: count", wanted.count, 1)
    },
    ConformanceCheck(.fetching, "fetches batches and partial models") { store in
      let context = try filled(store)
      let descriptor = FetchDescriptor<ConformanceBook>(
        predicate: #Predicate { $0.pages > 1 }, sortBy: [SortDescriptor(\.pages)])
      let other = ModelContext(context.container)
      try expect(
        "fetch with batches of 3", try other.fetch(descriptor, batchSize: 3).map(\.pages), Array(2..<10))
      var visited: [Int] = []
      try ModelContext(context.container).enumerate(descriptor, batchSize: 3) { visited.append($0.pages) }
      try expect("enumerate in batches of 3", visited, Array(2..<10))
      var part = descriptor
      part.propertiesToFetch = [\.title]
      part.relationshipKeyPathsForPrefetching = [\.author, \.shelves]
      let last = ModelContext(context.container)
      try expect(
        "partial fetch: properties read later", try last.fetch(part).map(\.pages),
        Array(2..<10))
    },
  ]

  static func filled(_ store: ConformanceStore) throws -> ModelContext {
    let context = ModelContext(try store.container())
    for index in 0..<10 {
      context.insert(
        ConformanceBook(
          title: "book \(index)", pages: index, price: index % 2 == 0 ? Double(index) : nil))
    }
    try context.save()
    return context
  }

  private static func expectPages(
    _ context: ModelContext, _ operation: String, _ pages: [Int],
    _ predicate: Predicate<ConformanceBook>
  ) throws {
    let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.pages)])
    try expect(operation, try context.fetch(descriptor).map(\.pages), pages)
    try expect("fetchCount for: \(operation)", try context.fetchCount(descriptor), pages.count)
  }
}
