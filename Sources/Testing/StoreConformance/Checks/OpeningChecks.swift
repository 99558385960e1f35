import Foundation
import Trellis

extension ConformanceCheck {
  static let opening: [ConformanceCheck] = [
    ConformanceCheck(.opening, "is empty when new") { store in
      let context = ModelContext(try store.container())
      try expect("fetch from a new store", try context.fetch(FetchDescriptor<ConformanceBook>()).count, 0)
      try expect("fetchCount in a new store", try context.fetchCount(FetchDescriptor<ConformanceMedium>()), 0)
      try expect(
        "fetchIdentifiers in a new store",
        try context.fetchIdentifiers(FetchDescriptor<ConformanceNode>()), [])
    },
    ConformanceCheck(.opening, "keeps its identifier when reopened", needsReopening: true) {
      store in
      func identifier() throws -> String? {
        let container = try store.container()
        let context = ModelContext(container)
        context.insert(ConformanceShelf(label: "left"))
        try context.save()
        return container.storeIdentifier(forConfigurationNamed: store.configuration.name)
      }
      let first = try identifier()
      try expect("identifier after reopening", try identifier(), first)
    },
    ConformanceCheck(.opening, "contains the saved data when reopened", needsReopening: true) {
      store in
      let identifier: PersistentIdentifier
      do {
        let context = ModelContext(try store.container())
        let book = ConformanceBook(title: "kept", pages: 7)
        context.insert(book)
        context.insert(ConformanceBook(title: "gone"))
        try context.save()
        identifier = book.persistentModelID
        try context.delete(model: ConformanceBook.self, where: #Predicate { $0.title == "gone" })
        book.pages = 8
        try context.save()
      }
      let books: Models<ConformanceBook> = try store.container().all(\.title)
      try expect("fetch after reopening: titles", books.map(\.title), ["kept"])
      try expect("fetch after reopening: a changed value", books.map(\.pages), [8])
      try expect("fetch after reopening: identifiers", books.map(\.persistentModelID), [identifier])
    },
    ConformanceCheck(.opening, "can be reopened repeatedly", needsReopening: true) { store in
      for number in 1...4 {
        let context = ModelContext(try attempt("opening number \(number)") { try store.container() })
        context.insert(ConformanceBook(title: "book \(number)"))
        try context.save()
        try expect(
          "fetchCount after opening number \(number)",
          try context.fetchCount(FetchDescriptor<ConformanceBook>()), number)
      }
    },
    ConformanceCheck(.opening, "shares saved data between containers", needsReopening: true) {
      store in
      let first = try store.container()
      let second = try store.container()
      let context = ModelContext(first)
      context.insert(ConformanceBook(title: "shared"))
      try context.save()
      let books: Models<ConformanceBook> = try second.all(\.title)
      try expect("fetch in a second container", books.map(\.title), ["shared"])
    },
  ]
}
