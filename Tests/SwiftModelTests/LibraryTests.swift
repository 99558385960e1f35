import Foundation
import Testing
import Trellis

/// Versions with models in Swift files, and a migration plan written by hand.
struct LibraryTests {
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("library \(UUID().uuidString).store")

  private func openFirst() throws -> ModelContainer {
    let schema = Schema(versionedSchema: LibrarySchemaV1.self)
    return try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url))
  }

  private func open() throws -> ModelContainer {
    try ModelContainer(
      for: Book.self, Author.self, Shelf.self, migrationPlan: LibraryMigrationPlan.self,
      configurations: ModelConfiguration(url: url))
  }

  @Test func migration() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    do {
      let context = ModelContext(try openFirst())
      let author = LibrarySchemaV1.Author(name: "Ada")
      author.mood = .bad
      context.insert(author)
      for (index, title) in ["A", "B", "A"].enumerated() {
        let book = LibrarySchemaV1.Book(title: title, genre: index == 0 ? .novel : .essay, author: author)
        book.binding = index == 1 ? nil : .hard
        context.insert(book)
      }
      try context.save()
    }
    let context = ModelContext(try open())
    let books = try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.name)]))
    #expect(books.map(\.name) == ["A", "B"])
    #expect(books.allSatisfy { $0.author?.name == "Ada" && $0.author?.mood == .bad && $0.author?.favourite == .essay })
    // Existing rows get the default values of types that are stored as one value.
    #expect(books[0].author?.home.street == "New" && books[0].author?.homes == [LibrarySchemaV2.Place()])
    #expect(books.map(\.rank) == books.map { $0.genre == .novel ? .high : .low })

    let shelf = Shelf(code: 7)
    let shop = LibrarySchemaV2.Shop()
    for model in [shelf, shop] as [any PersistentModel] { context.insert(model) }
    shelf.books = books
    (shop.shelf, shop.boxed, shop.prices, shop.names) = (shelf, .init(value: "x"), [1, 2], ["n"])
    shop.route = .via(1, .via(2, .start))
    (shop.opened, shop.secret, shop.owner) = (LibrarySchemaV2.Data(days: 3), .b, books[0].author)
    try context.save()

    let other = ModelContext(try open())
    let found = try #require(try other.fetch(FetchDescriptor<LibrarySchemaV2.Shop>()).first)
    #expect(
      found.shelf?.books?.count == 2 && found.boxed?.value == "x" && found.prices == [1, 2] && found.shout == "SHOP")
    #expect(found.route == .via(1, .via(2, .start)))
    #expect(found.opened.days == 3 && found.secret == .a && found.place.street == "Main" && found.owner?.name == "Ada")
    try #require(found.owner).all = [.poem, .novel]
    other.delete(try #require(found.shelf))
    try other.save()
    #expect(found.shelf == nil && found.owner?.all == [.poem, .novel])
    other.delete(try #require(found.owner))
    try other.save()
    #expect(try ModelContext(open()).fetchCount(FetchDescriptor<Book>()) == 0)
  }

  /// The store contains an enum's raw value, regardless of which file declares the enum, because predicates and indexes
  /// compare raw values.
  @Test func enumsAreRawValues() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let context = ModelContext(try open())
    for rank in [Rank.low, .high, .high] {
      let book = Book(name: "\(UUID())", genre: .essay)
      book.rank = rank
      context.insert(book)
    }
    try context.save()
    let descriptor = FetchDescriptor<Book>(predicate: #Predicate { $0.rank == .high && $0.genre == .essay })
    #expect(try context.fetchCount(descriptor) == 2)
    let entity = try #require(context.container.schema.entity(for: Book.self))
    #expect(entity.attributesByName["rank"]?.valueType == Rank.self)
    #expect(try descriptor.explain(in: context).runsInStore)
  }

  /// A store has the version of the type that contains its models, even without a migration plan.
  @Test func olderModelsDoNotOpenANewerStore() throws {
    defer { try? FileManager.default.removeItem(at: url) }
    _ = try ModelContainer(for: LibrarySchemaV2.Shop.self, configurations: ModelConfiguration(url: url))
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: LibrarySchemaV1.Book.self, configurations: ModelConfiguration(url: url))
    }
    #expect("\(String(describing: error))".contains("2.0.0"))
  }
}
