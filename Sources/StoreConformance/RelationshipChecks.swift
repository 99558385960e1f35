import Foundation
import Trellis

extension ConformanceCheck {
  static var relationships: [ConformanceCheck] {
    [
      ConformanceCheck(name: "keeps a graph saved at once") { store in
        let container = try store.container()
        try saveGraph(container)
        try expectGraph(ModelContext(container))
      },
      ConformanceCheck(name: "keeps a graph until it is opened again", needsReopening: true) {
        store in
        do { try saveGraph(store.container()) }
        try expectGraph(ModelContext(try store.container()))
      },
      ConformanceCheck(name: "moves a member to another owner") { store in
        let container = try store.container()
        let context = ModelContext(container)
        let first = ConformanceAuthor(name: "first")
        let second = ConformanceAuthor(name: "second")
        first.books = [ConformanceBook(title: "moving")]
        context.insert(first)
        context.insert(second)
        try context.save()
        second.books.append(contentsOf: first.books)
        try context.save()
        let other = ModelContext(container)
        let authors = try other.fetch(
          FetchDescriptor<ConformanceAuthor>(sortBy: [SortDescriptor(\.name)]))
        try expect(authors.map { $0.books.map(\.title) }, [[], ["moving"]], "the books by author")
      },
      ConformanceCheck(name: "applies delete rules") { store in
        let container = try store.container()
        try saveGraph(container)
        let context = ModelContext(container)
        for author in try context.fetch(FetchDescriptor<ConformanceAuthor>()) {
          context.delete(author)
        }
        try context.save()
        let other = ModelContext(container)
        try expect(
          try other.fetchCount(FetchDescriptor<ConformanceBook>()), 0, "the books left")
        let shelves = try other.fetch(FetchDescriptor<ConformanceShelf>())
        try expect(shelves.map(\.books.count), [0, 0], "the books on the shelves")
      },
      ConformanceCheck(name: "filters through relationships") { store in
        let container = try store.container()
        try saveGraph(container)
        let context = ModelContext(container)
        let name = "Ada"
        let byAda = FetchDescriptor<ConformanceBook>(
          predicate: #Predicate { $0.author?.name == name }, sortBy: [SortDescriptor(\.title)])
        try expect(try context.fetch(byAda).map(\.title), ["one", "two"], "the books by Ada")
        let busy = FetchDescriptor<ConformanceAuthor>(
          predicate: #Predicate { $0.books.contains { $0.title == "two" } })
        try expect(try context.fetch(busy).map(\.name), ["Ada"], "the author of 'two'")
      },
    ]
  }

  private static func saveGraph(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    let author = ConformanceAuthor(name: "Ada", born: Date(timeIntervalSince1970: 0))
    let one = ConformanceBook(title: "one")
    let two = ConformanceBook(title: "two")
    author.books = [one, two]
    let left = ConformanceShelf(label: "left", books: [one, two])
    let right = ConformanceShelf(label: "right")
    two.shelves.append(right)
    context.insert(author)
    try context.save()
    try expect(left.modelContext === context, true, "that reachable models are inserted")
  }

  private static func expectGraph(_ context: ModelContext) throws {
    let authors = try context.fetch(FetchDescriptor<ConformanceAuthor>())
    try expect(authors.map(\.name), ["Ada"], "the authors")
    try expect(authors.flatMap(\.books).map(\.title).sorted(), ["one", "two"], "Ada's books")
    let shelves = try context.fetch(
      FetchDescriptor<ConformanceShelf>(sortBy: [SortDescriptor(\.label)]))
    try expect(
      shelves.map { $0.books.map(\.title).sorted() }, [["one", "two"], ["two"]],
      "the books by shelf")
    for book in authors.flatMap(\.books) {
      try expect(book.author === authors.first, true, "that a book's author is the author's object")
    }
  }
}
