import Foundation
import Trellis

extension ConformanceCheck {
  static let relationships: [ConformanceCheck] = [
    ConformanceCheck(.relationships, "keeps a graph saved at once") { store in
      let container = try store.container()
      try saveGraph(container)
      try expectGraph(ModelContext(container), "in a second context")
    },
    ConformanceCheck(
      .relationships, "keeps a graph when reopened", needsReopening: true
    ) { store in
      do { try saveGraph(store.container()) }
      try expectGraph(ModelContext(try store.container()), "opened again")
    },
    ConformanceCheck(.relationships, "keeps a graph saved piece by piece") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let author = ConformanceAuthor(name: "Ada", born: Date(timeIntervalSince1970: 0))
      context.insert(author)
      try context.save()
      let one = ConformanceBook(title: "one")
      one.author = author
      try context.save()
      let two = ConformanceBook(title: "two")
      author.books.append(two)
      try context.save()
      let left = ConformanceShelf(label: "left", books: [one])
      context.insert(left)
      try context.save()
      left.books.append(two)
      context.insert(ConformanceShelf(label: "right", books: [two]))
      try context.save()
      try expectGraph(ModelContext(container), "after five saves")
    },
    ConformanceCheck(.relationships, "moves a member to a new owner") { store in
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
      let authors: Models<ConformanceAuthor> = try container.all(\.name)
      try expect(
        "fetch after a member has moved: lists", authors.map { $0.books.map(\.title) }, [[], ["moving"]])
      let books: Models<ConformanceBook> = try container.all(\.title)
      try expect("fetch after a member has moved: owner", books.map { $0.author?.name }, ["second"])
    },
    ConformanceCheck(.relationships, "clears references and lists") { store in
      let container = try store.container()
      try saveGraph(container)
      let context = ModelContext(container)
      let books = try context.fetch(FetchDescriptor<ConformanceBook>(sortBy: [SortDescriptor(\.title)]))
      books[0].author = nil
      books[1].shelves = []
      try context.save()
      let read: Models<ConformanceBook> = try container.all(\.title)
      try expect(
        "fetch after a reference was set to nil: authors", read.map { $0.author?.name }, [nil, "Ada"])
      try expect(
        "fetch after a list was emptied: shelves", read.map { $0.shelves.map(\.label) }, [["left"], []])
      let shelves: Models<ConformanceShelf> = try container.all(\.label)
      try expect(
        "fetch after a list was emptied: inverse lists", shelves.map { $0.books.map(\.title) },
        [["one"], []])
    },
    ConformanceCheck(.relationships, "keeps both sides of many-to-many lists consistent") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let books = (0..<4).map { ConformanceBook(title: "\($0)") }
      let shelves = (0..<3).map { ConformanceShelf(label: "\($0)") }
      books.forEach(context.insert)
      shelves.forEach(context.insert)
      for (number, book) in books.enumerated() {
        book.shelves = shelves.filter { (number + (Int($0.label) ?? 0)) % 2 == 0 }
      }
      try context.save()
      shelves[1].books.append(books[0])
      books[2].shelves.removeAll()
      try context.save()
      let readBooks: Models<ConformanceBook> = try container.all(\.title)
      try expect(
        "fetch of many-to-many lists from the first side", readBooks.map { $0.shelves.map(\.label).sorted() },
        [["0", "1", "2"], ["1"], [], ["1"]])
      let readShelves: Models<ConformanceShelf> = try container.all(\.label)
      try expect(
        "fetch of many-to-many lists from the second side",
        readShelves.map { $0.books.map(\.title).sorted() }, [["0"], ["0", "1", "3"], ["0"]])
    },
    ConformanceCheck(.relationships, "keeps the order of ordered lists") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let tickets = (0..<5).map { ConformanceTicket(number: $0) }
      let queue = ConformanceQueue(label: "q", tickets: [tickets[3], tickets[0], tickets[4]])
      context.insert(queue)
      try context.save()
      func expectOrder(_ when: String, _ numbers: [Int]) throws {
        let read: Models<ConformanceQueue> = try container.all(\.label)
        try expect("fetch of an ordered list, \(when)", read.map { $0.tickets.map(\.number) }, [numbers])
      }
      try expectOrder("inserted", [3, 0, 4])
      queue.tickets.insert(tickets[1], at: 1)
      try context.save()
      try expectOrder("with a member added in the middle", [3, 1, 0, 4])
      queue.tickets.reverse()
      try context.save()
      try expectOrder("reversed", [4, 0, 1, 3])
      queue.tickets.remove(at: 1)
      try context.save()
      try expectOrder("with a member removed", [4, 1, 3])
    },
    ConformanceCheck(.relationships, "keeps trees and symmetric relationships within an entity") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let root = ConformanceNode(label: "root")
      root.children = [ConformanceNode(label: "a"), ConformanceNode(label: "b")]
      root.children[0].children = [ConformanceNode(label: "a1")]
      root.friends = [root.children[1]]
      context.insert(root)
      try context.save()
      let read: Models<ConformanceNode> = try container.all(\.label)
      try expect("fetch of a tree: parents", read.map { $0.parent?.label }, ["root", "a", "root", nil])
      try expect(
        "fetch of a tree: children", read.map { $0.children.map(\.label).sorted() },
        [["a1"], [], [], ["a", "b"]])
      try expect(
        "fetch of friends from both sides", read.map { $0.friends.map(\.label) },
        [[], [], ["root"], ["b"]])
    },
    ConformanceCheck(.relationships, "keeps one-to-one pairs") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let norway = ConformanceCountry(name: "Norway")
      let iceland = ConformanceCountry(name: "Iceland")
      let capital = ConformanceCapital(name: "Oslo", country: norway)
      context.insert(iceland)
      context.insert(capital)
      try context.save()
      capital.country = iceland
      try context.save()
      let read: Models<ConformanceCountry> = try container.all(\.name)
      try expect("fetch after a pair's member has moved", read.map { $0.capital?.name }, ["Oslo", nil])
    },
  ]

  static let rules: [ConformanceCheck] = [
    ConformanceCheck(.relationships, "deletes models by cascade") { store in
      let container = try store.container()
      try saveGraph(container)
      let context = ModelContext(container)
      for author in try context.fetch(FetchDescriptor<ConformanceAuthor>()) { context.delete(author) }
      try context.save()
      let other = ModelContext(container)
      try expect(
        "fetchCount after a cascade",
        try other.fetchCount(FetchDescriptor<ConformanceBook>()), 0)
      let shelves = try other.fetch(FetchDescriptor<ConformanceShelf>())
      try expect("fetch: lists after a cascade", shelves.map(\.books.count), [0, 0])
    },
    ConformanceCheck(.relationships, "deletes a tree from its root") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let root = ConformanceNode(label: "root")
      root.children = (0..<3).map { number in
        let child = ConformanceNode(label: "\(number)")
        child.children = [ConformanceNode(label: "\(number).1")]
        return child
      }
      context.insert(root)
      context.insert(ConformanceNode(label: "other"))
      try context.save()
      let other = ModelContext(container)
      try other.delete(model: ConformanceNode.self, where: #Predicate { $0.label == "root" })
      try other.save()
      let left: Models<ConformanceNode> = try container.all(\.label)
      try expect("fetch after a tree's root was deleted", left.map(\.label), ["other"])
    },
    ConformanceCheck(.relationships, "removes deleted models from references and lists") { store in
      let container = try store.container()
      try saveGraph(container)
      let context = ModelContext(container)
      try context.delete(model: ConformanceShelf.self, where: #Predicate { $0.label == "left" })
      try context.delete(model: ConformanceBook.self, where: #Predicate { $0.title == "one" })
      try context.save()
      let books: Models<ConformanceBook> = try container.all(\.title)
      try expect(
        "fetch: lists after a member was deleted", books.map { $0.shelves.map(\.label) }, [["right"]])
      let authors: Models<ConformanceAuthor> = try container.all(\.name)
      try expect(
        "fetch: the owner's list after a member was deleted",
        authors.map { $0.books.map(\.title) }, [["two"]])
    },
    ConformanceCheck(.relationships, "keeps models protected by a deny rule") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let country = ConformanceCountry(name: "Norway")
      country.residents = [ConformanceResident(name: "Kari")]
      country.capital = ConformanceCapital(name: "Oslo", country: country)
      context.insert(country)
      try context.save()
      let other = ModelContext(container)
      try other.delete(model: ConformanceCountry.self)
      var isRefused = false
      do { try other.save() } catch { isRefused = true }
      try expect("save with a denied deletion: throws an error", isRefused, true)
      let read: Models<ConformanceCountry> = try container.all(\.name)
      try expect("fetch after a denied deletion", read.map { $0.capital?.name }, ["Oslo"])
    },
  ]

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
    try expect(
      "insert: the context for reachable models", left.modelContext === context,
      "the inserted model's context")
  }

  private static func expectGraph(_ context: ModelContext, _ when: String) throws {
    let authors = try context.fetch(FetchDescriptor<ConformanceAuthor>())
    try expect("fetch of authors, \(when)", authors.map(\.name), ["Ada"])
    try expect(
      "fetch of a list, \(when)", authors.flatMap(\.books).map(\.title).sorted(), ["one", "two"])
    let shelves = try context.fetch(
      FetchDescriptor<ConformanceShelf>(sortBy: [SortDescriptor(\.label)]))
    try expect(
      "fetch of many-to-many lists, \(when)", shelves.map { $0.books.map(\.title).sorted() },
      [["one", "two"], ["two"]])
    for book in authors.flatMap(\.books) {
      try expect(
        "the inverse reference, \(when)", book.author === authors.first, "the owner's own object")
    }
  }
}
