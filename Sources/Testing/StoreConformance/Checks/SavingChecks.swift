import Foundation
import Trellis

extension ConformanceCheck {
  static let saving: [ConformanceCheck] = [
    ConformanceCheck(.identifiers, "assigns permanent identifiers to inserted models") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let books = (0..<3).map { ConformanceBook(title: "book \($0)") }
      books.forEach(context.insert)
      try context.save()
      let own = container.storeIdentifier(forConfigurationNamed: store.configuration.name)
      for book in books {
        try expect("save: an inserted model's isTemporary", book.persistentModelID.isTemporary, false)
        try expect(
          "save: an inserted model's store identifier", book.persistentModelID.storeIdentifier, own)
      }
      try expect(
        "save: distinct identifiers for three models", Set(books.map(\.persistentModelID)).count, 3)
      let found: Models<ConformanceBook> = try container.all(\.title)
      try expect(
        "fetch in a second context: identifiers", found.map(\.persistentModelID),
        books.map(\.persistentModelID))
    },
    ConformanceCheck(.identifiers, "never reuses an identifier") { store in
      let context = ModelContext(try store.container())
      var used: Set<PersistentIdentifier> = []
      for _ in 0..<4 {
        let book = ConformanceBook(title: "short-lived")
        context.insert(book)
        try context.save()
        try expect(
          "save after a deletion: a new identifier",
          used.insert(book.persistentModelID).inserted, true)
        context.delete(book)
        try context.save()
      }
    },
    ConformanceCheck(.saving, "returns results that satisfy the contract") { store in
      let log = CallLog()
      let container = try store.container(watching: log)
      let context = ModelContext(container)
      let author = ConformanceAuthor(name: "Ada")
      author.books = [ConformanceBook(title: "one"), ConformanceBook(title: "two")]
      context.insert(author)
      context.insert(ConformanceFilm(title: "film"))
      try context.save()
      try log.check()
      author.name = "Ben"
      context.delete(author.books[0])
      try context.save()
      try log.check()
      let other = ModelContext(container)
      _ = try other.fetch(FetchDescriptor<ConformanceAuthor>()).map(\.books.count)
      _ = try other.fetchCount(FetchDescriptor<ConformanceMedium>())
      _ = try other.fetchIdentifiers(FetchDescriptor<ConformanceFilm>())
      try log.check()
    },
    ConformanceCheck(.saving, "receives no empty saves") { store in
      let log = CallLog()
      let context = ModelContext(try store.container(watching: log))
      try context.save()
      let book = ConformanceBook(title: "none")
      context.insert(book)
      context.delete(book)
      try context.save()
      try expect("save without changes: calls to save(_:)", log.saves, 0)
    },
    ConformanceCheck(.saving, "writes changes and preserves other values") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let book = ConformanceBook(title: "Draft", pages: 1)
      context.insert(book)
      context.insert(ConformanceBook(title: "Other", pages: 2))
      try context.save()
      book.title = "Final"
      book.price = 9.5
      try context.save()
      let read: Models<ConformanceBook> = try container.all(\.pages)
      try expect("fetch after an update: the changed titles", read.map(\.title), ["Final", "Other"])
      try expect("fetch after an update: the changed prices", read.map(\.price), [9.5, nil])
      try expect("fetch after an update: the unchanged pages", read.map(\.pages), [1, 2])
    },
    ConformanceCheck(.saving, "writes the last of many changes") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let book = ConformanceBook(title: "0")
      context.insert(book)
      for number in 0...20 {
        book.title = "\(number)"
        book.price = number % 2 == 0 ? nil : Double(number)
        try context.save()
        let read: Models<ConformanceBook> = try container.all(\.title)
        try expect("fetch after update \(number): title", read.map(\.title), ["\(number)"])
        try expect("fetch after update \(number): price", read.map(\.price), [book.price])
      }
    },
    ConformanceCheck(.saving, "deletes only deleted models") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let books = (0..<4).map { ConformanceBook(title: "book \($0)") }
      books.forEach(context.insert)
      context.insert(ConformanceShelf(label: "book 1"))
      try context.save()
      context.delete(books[1])
      try context.save()
      let left: Models<ConformanceBook> = try container.all(\.title)
      try expect("fetch after a deletion: titles", left.map(\.title), ["book 0", "book 2", "book 3"])
      try expect(
        "fetchCount for a second entity after a deletion",
        try ModelContext(container).fetchCount(FetchDescriptor<ConformanceShelf>()), 1)
    },
    ConformanceCheck(.saving, "inserts, updates and deletes in a single save") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let books = (0..<3).map { ConformanceBook(title: "book \($0)") }
      books.forEach(context.insert)
      try context.save()
      context.delete(books[0])
      books[1].title = "book 1, changed"
      context.insert(ConformanceBook(title: "book 3"))
      try context.save()
      let left: Models<ConformanceBook> = try container.all(\.title)
      try expect(
        "fetch after insertion, update and deletion", left.map(\.title), ["book 1, changed", "book 2", "book 3"])
    },
    ConformanceCheck(.saving, "distinguishes a thousand models") { store in
      let container = try store.container()
      let context = ModelContext(container)
      for number in 0..<1_000 { context.insert(ConformanceBook(title: "book", pages: number)) }
      try context.save()
      let read: Models<ConformanceBook> = try container.all(\.pages)
      try expect("fetch of a thousand models: pages", read.map(\.pages), Array(0..<1_000))
    },
  ]

  static let references: [ConformanceCheck] = [
    ConformanceCheck(.identifiers, "resolves references among models inserted together") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let author = ConformanceAuthor(name: "Ada")
      author.books = [ConformanceBook(title: "one"), ConformanceBook(title: "two")]
      context.insert(author)
      try context.save()
      let read: Models<ConformanceBook> = try container.all(\.title)
      try expect("fetch: the authors of two books", read.map { $0.author?.name }, ["Ada", "Ada"])
      try expect(
        "fetch: the author's identifier", read.map { $0.author?.persistentModelID },
        [author.persistentModelID, author.persistentModelID])
    },
    ConformanceCheck(.identifiers, "resolves circular references") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let nodes = (0..<3).map { ConformanceNode(label: "\($0)") }
      for (number, node) in nodes.enumerated() { node.next = nodes[(number + 1) % 3] }
      nodes[0].friends = nodes
      nodes.forEach(context.insert)
      try context.save()
      try expectCircle(container, "saved together")
    },
    ConformanceCheck(
      .identifiers, "resolves circular references when reopened", needsReopening: true
    ) { store in
      do {
        let context = ModelContext(try store.container())
        let nodes = (0..<3).map { ConformanceNode(label: "\($0)") }
        for (number, node) in nodes.enumerated() { node.next = nodes[(number + 1) % 3] }
        nodes[0].friends = nodes
        nodes.forEach(context.insert)
        try context.save()
      }
      try expectCircle(try store.container(), "opened again")
    },
    ConformanceCheck(.identifiers, "resolves references from changed models to new models") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let book = ConformanceBook(title: "old")
      context.insert(book)
      try context.save()
      let author = ConformanceAuthor(name: "new")
      book.author = author
      let shelf = ConformanceShelf(label: "new", books: [book])
      try context.save()
      let read: Models<ConformanceBook> = try container.all(\.title)
      try expect(
        "fetch after an update that refers to an inserted model", read.map { $0.author?.name }, ["new"])
      try expect(
        "fetch: the changed book's shelves", read.map { $0.shelves.map(\.persistentModelID) },
        [[shelf.persistentModelID]])
    },
    ConformanceCheck(.identifiers, "keeps pairs that require each other") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let country = ConformanceCountry(name: "Norway")
      country.capital = ConformanceCapital(name: "Oslo", country: country)
      context.insert(country)
      try context.save()
      let read: Models<ConformanceCapital> = try container.all(\.name)
      try expect("fetch: a required reference", read.map(\.country.name), ["Norway"])
      try expect("fetch: the inverse reference", read.map { $0.country.capital === $0 }, [true])
    },
  ]

  private static func expectCircle(_ container: ModelContainer, _ when: String) throws {
    let read: Models<ConformanceNode> = try container.all(\.label)
    try expect("fetch, \(when): a circle of to-one references", read.map { $0.next?.label }, ["1", "2", "0"])
    try expect(
      "fetch, \(when): a list in the same entity",
      read.map { $0.friends.map(\.label).sorted() }, [["0", "1", "2"], ["0"], ["0"]])
  }
}
