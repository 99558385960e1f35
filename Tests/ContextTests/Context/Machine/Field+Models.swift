import RelationshipsGolden
import Trellis

extension Field {
  /// The destination of a to-one relationship.
  func one(of model: any PersistentModel) -> (any PersistentModel)? {
    switch (self, model) {
    case (.library, let book as Book): book.library
    case (.desk, let library as Library): library.desk
    case (.deskLibrary, let desk as Desk): desk.library
    case (.sponsor, let library as Library): library.sponsor
    case (.firstReader, let book as Book):
      // A required relationship without a destination reads as a placeholder without a context.
      book.firstReader.modelContext == nil ? nil : book.firstReader
    case (.firstBook, let reader as Reader): reader.firstBook
    case (.mentor, let reader as Reader): reader.mentor
    case (.spouse, let reader as Reader): reader.spouse
    default: nil
    }
  }

  func many(of model: any PersistentModel) -> [any PersistentModel] {
    switch (self, model) {
    case (.books, let library as Library): library.books
    case (.readers, let library as Library): library.readers
    case (.libraries, let reader as Reader): reader.libraries
    case (.authors, let book as Book): book.authors ?? []
    case (.written, let reader as Reader): reader.written ?? []
    case (.pupils, let reader as Reader): reader.pupils
    case (.friends, let reader as Reader): reader.friends
    default: []
    }
  }

  func setOne(of model: any PersistentModel, to target: (any PersistentModel)?) {
    switch (self, model) {
    case (.library, let book as Book): book.library = target as? Library
    case (.desk, let library as Library): library.desk = target as? Desk
    case (.deskLibrary, let desk as Desk): desk.library = target as? Library
    case (.sponsor, let library as Library): library.sponsor = target as? Reader
    case (.firstReader, let book as Book):
      if let reader = target as? Reader { book.firstReader = reader }
    case (.firstBook, let reader as Reader): reader.firstBook = target as? Book
    case (.mentor, let reader as Reader): reader.mentor = target as? Reader
    case (.spouse, let reader as Reader): reader.spouse = target as? Reader
    default: break
    }
  }

  func setMany(of model: any PersistentModel, to members: [any PersistentModel]) {
    switch (self, model) {
    case (.books, let library as Library): library.books = members.compactMap { $0 as? Book }
    case (.readers, let library as Library): library.readers = members.compactMap { $0 as? Reader }
    case (.libraries, let reader as Reader):
      reader.libraries = members.compactMap { $0 as? Library }
    case (.authors, let book as Book): book.authors = members.compactMap { $0 as? Reader }
    case (.written, let reader as Reader): reader.written = members.compactMap { $0 as? Book }
    case (.pupils, let reader as Reader): reader.pupils = members.compactMap { $0 as? Reader }
    case (.friends, let reader as Reader): reader.friends = members.compactMap { $0 as? Reader }
    default: break
    }
  }
}
