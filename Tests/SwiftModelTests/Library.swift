import Foundation
import Trellis

// Versions as an app that uses SwiftData declares them.

enum Genre: String, Codable, CaseIterable { case novel, poem, essay }
enum Rank: Int, Codable, Ranked, Error { case low = 1, high = 5 }
protocol Ranked: Sendable {}

enum LibrarySchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Author.self] }

  enum Binding: String, Codable { case soft, hard }

  @Model
  final class Book {
    var title: String
    var genre: Genre
    var binding: Binding? = Binding.soft
    var pages: Int = 10
    var author: Author?

    init(title: String, genre: Genre, author: Author? = nil) {
      self.title = title
      self.genre = genre
      self.author = author
    }
  }
}

extension LibrarySchemaV1 {
  @Model final class Author {
    enum Mood: String, Codable { case good, bad }
    var name: String
    var mood: Mood = Mood.good
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
    init(name: String) { self.name = name }
  }
}

enum LibrarySchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Author.self, Shelf.self, Shop.self] }

  @Model
  final class Book {
    #Unique<Book>([\.name])
    @Attribute(originalName: "title") var name: String
    var genre: Genre
    var rank: Rank = Rank.low
    var author: Author?
    var shelf: Shelf?

    init(name: String, genre: Genre = .poem) {
      self.name = name
      self.genre = genre
    }
  }

  @Model class Author {
    typealias Kind = Genre
    var name: String
    var mood: LibrarySchemaV1.Author.Mood = LibrarySchemaV1.Author.Mood.good
    var favourite: Kind? = Kind.essay
    var home = Place(street: "New")
    var homes: [Place] = [Place()]
    var all: [Genre] = []
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
    init(name: String) { self.name = name }
  }

  @Model class Shelf: Identifiable {
    var code: Int
    @Relationship(inverse: \Book.shelf) var books: [Book]? = []
    var shop: Shop?
    init(code: Int) { self.code = code }
  }
}

typealias Book = LibrarySchemaV2.Book
typealias Author = LibrarySchemaV2.Author
typealias Shelf = LibrarySchemaV2.Shelf

enum LibraryMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [LibrarySchemaV1.self, LibrarySchemaV2.self] }
  static var stages: [MigrationStage] { [toV2] }

  static let toV2 = MigrationStage.custom(
    fromVersion: LibrarySchemaV1.self, toVersion: LibrarySchemaV2.self,
    willMigrate: { context in
      let books = try context.fetch(FetchDescriptor<LibrarySchemaV1.Book>(sortBy: [SortDescriptor(\.title)]))
      var seen: Set<String> = []
      for book in books where !seen.insert(book.title).inserted { context.delete(book) }
      try context.save()
    },
    didMigrate: { context in
      for book in try context.fetch(FetchDescriptor<LibrarySchemaV2.Book>()) where book.genre == .novel {
        book.rank = .high
      }
      try context.save()
    })
}

// Types around the models, in an extension. The type `Data` hides Foundation's.
extension LibrarySchemaV2 {
  struct Data: Codable, Equatable { var days = 0 }
  indirect enum Route: Codable, Equatable { case start, via(Int, Route) }
  struct Place: Codable, Equatable { var street = "Main" }
  struct Box<Value: Codable & Equatable & Sendable>: Codable, Equatable { var value: Value }
  typealias Money = Decimal
  typealias Names = [String]

  @Model final class Shop: Titled {
    typealias Owner = Author
    var place: Place = Place()
    var boxed: Box<String>?
    var route: Route = Route.start
    var price: Money = 5
    var prices: [Money] = []
    var names: Names = []
    var title: String = "shop"
    var opened: Data = Data()
    var owner: Owner?
    @Relationship(inverse: \LibrarySchemaV2.Shelf.shop) var shelf: LibrarySchemaV2.Shelf?
    @Transient var secret: Hidden = .a
    enum Hidden { case a, b }
    init() {}
  }
}

protocol Titled { var title: String { get } }
extension Titled { var shout: String { title.uppercased() } }
