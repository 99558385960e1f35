import Foundation
import Trellis

extension ConformanceCheck {
  static var fetching: [ConformanceCheck] {
    [
      ConformanceCheck(name: "filters, sorts and pages") { store in
        let context = try filled(store)
        let descriptor = FetchDescriptor<ConformanceBook>(
          predicate: #Predicate { $0.pages >= 3 }, sortBy: [SortDescriptor(\.title, order: .reverse)])
        try expect(
          try context.fetch(descriptor).map(\.pages), [9, 8, 7, 6, 5, 4, 3], "the whole result")
        var page = descriptor
        page.fetchOffset = 2
        page.fetchLimit = 3
        try expect(try context.fetch(page).map(\.pages), [7, 6, 5], "the page")
        page.fetchOffset = 6
        try expect(try context.fetch(page).map(\.pages), [3], "the last page")
        page.fetchOffset = 7
        try expect(try context.fetch(page).map(\.pages), [], "the page past the end")
      },
      ConformanceCheck(name: "counts and identifies what it fetches") { store in
        let context = try filled(store)
        var descriptor = FetchDescriptor<ConformanceBook>(
          predicate: #Predicate { $0.title.contains("k 1") || $0.price == nil },
          sortBy: [SortDescriptor(\.title)])
        for limit in [nil, 4, 0] {
          descriptor.fetchLimit = limit
          let fetched = try context.fetch(descriptor)
          try expect(try context.fetchCount(descriptor), fetched.count, "the count")
          try expect(
            try context.fetchIdentifiers(descriptor), fetched.map(\.persistentModelID),
            "the identifiers")
        }
      },
      ConformanceCheck(name: "treats nil as Swift does") { store in
        let context = try filled(store)
        let unlike = FetchDescriptor<ConformanceBook>(
          predicate: #Predicate { $0.price != 4 }, sortBy: [SortDescriptor(\.title)])
        try expect(
          try context.fetch(unlike).map(\.pages), [0, 1, 2, 3, 5, 6, 7, 8, 9], "what is unlike 4")
        let absent = FetchDescriptor<ConformanceBook>(
          predicate: #Predicate { $0.price == nil }, sortBy: [SortDescriptor(\.title)])
        try expect(try context.fetch(absent).map(\.pages), [1, 3, 5, 7, 9], "what is nil")
      },
      ConformanceCheck(name: "takes pending changes into account") { store in
        let context = try filled(store)
        context.insert(ConformanceBook(title: "book 99", pages: 99))
        let first = try fetchFirst(context)
        first.pages = 50
        let descriptor = FetchDescriptor<ConformanceBook>(
          predicate: #Predicate { $0.pages > 8 }, sortBy: [SortDescriptor(\.pages)])
        try expect(try context.fetch(descriptor).map(\.pages), [9, 50, 99], "with pending changes")
        try expect(try context.fetchCount(descriptor), 3, "the count with pending changes")
      },
      ConformanceCheck(name: "deletes by predicate") { store in
        let context = try filled(store)
        try context.delete(model: ConformanceBook.self, where: #Predicate { $0.pages < 7 })
        try context.save()
        try expect(
          try context.container.books().map(\.pages), [7, 8, 9], "what is left")
      },
      ConformanceCheck(name: "makes one object of one row") { store in
        let context = try filled(store)
        let first = try fetchFirst(context)
        let again = try fetchFirst(context)
        try expect(first === again, true, "identity of two fetches")
      },
    ]
  }

  private static func filled(_ store: ConformanceStore) throws -> ModelContext {
    let context = ModelContext(try store.container())
    for index in 0..<10 {
      context.insert(
        ConformanceBook(
          title: "book \(index)", pages: index, price: index % 2 == 0 ? Double(index) : nil))
    }
    try context.save()
    return context
  }

  private static func fetchFirst(_ context: ModelContext) throws -> ConformanceBook {
    let found = try context.fetch(
      FetchDescriptor<ConformanceBook>(predicate: #Predicate { $0.title == "book 0" }))
    guard let first = found.first, found.count == 1 else {
      throw Failure(description: "looking for one book found \(found.count)")
    }
    return first
  }
}
