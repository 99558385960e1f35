import Foundation
import Trellis

extension ConformanceCheck {
  static var saving: [ConformanceCheck] {
    [
      ConformanceCheck(name: "gives inserted models permanent identifiers of its own") { store in
        let container = try store.container()
        let context = ModelContext(container)
        let author = ConformanceAuthor(name: "Ada")
        context.insert(author)
        try context.save()
        let identifier = author.persistentModelID
        try expect(identifier.isTemporary, false, "isTemporary after the save")
        let second = ConformanceAuthor(name: "Ben")
        context.insert(second)
        try context.save()
        try expect(second.persistentModelID == identifier, false, "equality of two identifiers")
        try expect(
          second.persistentModelID.storeIdentifier, identifier.storeIdentifier, "the store identifier")
      },
      ConformanceCheck(name: "returns every value as it was saved") { store in
        let container = try store.container()
        let context = ModelContext(container)
        for book in boundaryBooks() { context.insert(book) }
        try context.save()
        try expectBoundaryBooks(try container.books())
      },
      ConformanceCheck(name: "keeps every value until it is opened again", needsReopening: true) {
        store in
        do {
          let context = ModelContext(try store.container())
          for book in boundaryBooks() { context.insert(book) }
          try context.save()
        }
        try expectBoundaryBooks(try store.container().books())
      },
      ConformanceCheck(name: "writes changes") { store in
        let container = try store.container()
        let context = ModelContext(container)
        let book = ConformanceBook(title: "Draft", pages: 1)
        context.insert(book)
        try context.save()
        book.title = "Final"
        book.price = 9.5
        try context.save()
        let read = try container.books()
        try expect(read.map(\.title), ["Final"], "the titles")
        try expect(read.map(\.price), [9.5], "the prices")
        try expect(read.map(\.pages), [1], "the pages, which were not changed")
      },
      ConformanceCheck(name: "deletes what is deleted and nothing else") { store in
        let container = try store.container()
        let context = ModelContext(container)
        let books = (0..<4).map { ConformanceBook(title: "book \($0)") }
        books.forEach(context.insert)
        try context.save()
        context.delete(books[1])
        try context.save()
        try expect(
          try container.books().map(\.title), ["book 0", "book 2", "book 3"], "the titles")
      },
      ConformanceCheck(name: "erases everything") { store in
        let container = try store.container()
        let context = ModelContext(container)
        context.insert(ConformanceBook(title: "gone"))
        context.insert(ConformanceAuthor(name: "gone"))
        try context.save()
        try container.erase()
        try expect(try container.books().count, 0, "the number of books")
      },
    ]
  }

  private static func boundaryBooks() -> [ConformanceBook] {
    [
      ConformanceBook(title: "0 empty"),
      ConformanceBook(
        title: "1 full 📚 e\u{301}\u{0}\r\n", pages: .min, price: -0.5, isbn: .max,
        published: Date(timeIntervalSince1970: 86_400), cover: Data([0, 255, 1]),
        identifier: UUID(uuidString: "8A1B3C5D-0000-4000-8000-0123456789AB"), genre: .science,
        tags: ["", "a,b", "\"quoted\""]),
      ConformanceBook(title: "2 large", pages: .max, price: 1e300, isbn: 1 << 63, cover: Data()),
    ]
  }

  private static func expectBoundaryBooks(_ read: [ConformanceBook]) throws {
    let wanted = boundaryBooks()
    try expect(read.map { Array($0.title.utf8) }, wanted.map { Array($0.title.utf8) }, "title")
    try expect(read.map(\.pages), wanted.map(\.pages), "pages")
    try expect(read.map(\.price), wanted.map(\.price), "price")
    try expect(read.map(\.isbn), wanted.map(\.isbn), "isbn")
    try expect(read.map(\.published), wanted.map(\.published), "published")
    try expect(read.map(\.cover), wanted.map(\.cover), "cover")
    try expect(read.map(\.identifier), wanted.map(\.identifier), "identifier")
    try expect(read.map(\.genre), wanted.map(\.genre), "genre")
    try expect(read.map(\.tags), wanted.map(\.tags), "tags")
  }
}

extension ModelContainer {
  /// Every book, by title, in a context of its own that lives as long as they do.
  func books() throws -> [ConformanceBook] {
    try ModelContext(self).fetch(FetchDescriptor(sortBy: [SortDescriptor(\.title)]))
  }
}
