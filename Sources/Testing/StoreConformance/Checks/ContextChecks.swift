import Foundation
import Synchronization
import Trellis

extension ConformanceCheck {
  static let contexts: [ConformanceCheck] = [
    ConformanceCheck(.contexts, "makes saved changes visible in every context") { store in
      let container = try store.container()
      let writer = ModelContext(container)
      let reader = ModelContext(container)
      let book = ConformanceBook(title: "0", pages: 0)
      writer.insert(book)
      try writer.save()
      for number in 1...5 {
        book.pages = number
        writer.insert(ConformanceBook(title: "\(number)"))
        try writer.save()
        let found = try reader.fetch(FetchDescriptor<ConformanceBook>(sortBy: [SortDescriptor(\.title)]))
        try expect("fetch after a save in a second context: count", found.count, number + 1)
        try expect(
          "fetch after a save in a second context: a changed value", found.first?.pages, number)
      }
      writer.delete(book)
      try writer.save()
      try expect(
        "fetchCount after a deletion in a second context",
        try reader.fetchCount(FetchDescriptor<ConformanceBook>()), 5)
    },
    ConformanceCheck(.contexts, "supports short-lived contexts") { store in
      let log = CallLog()
      let container = try store.container(watching: log)
      for number in 0..<10 {
        let context = ModelContext(container)
        context.insert(ConformanceBook(title: "\(number)"))
        try context.save()
        try expect(
          "fetchCount in context number \(number)",
          try context.fetchCount(FetchDescriptor<ConformanceBook>()), number + 1)
      }
      try log.check()
      try expect(
        "initializeState(for:) and invalidateState(for:) after ten contexts: equal call counts",
        log.begun == log.ended, "an invalidated state for each initialized state")
    },
    ConformanceCheck(.contexts, "caches only stored values") { store in
      let container = try store.container()
      let first = ModelContext(container)
      let book = ConformanceBook(title: "old")
      first.insert(book)
      try first.save()
      let second = ModelContext(container)
      let same = second.model(for: book.persistentModelID) as? ConformanceBook
      try expect("model(for:) in a second context", same?.title, "old")
      same?.title = "new"
      try second.save()
      let third = ModelContext(container)
      let again = third.model(for: book.persistentModelID) as? ConformanceBook
      try expect("model(for:) after a save in a second context", again?.title, "new")
      first.rollback()
      try expect(
        "fetch in the first context", try first.fetch(FetchDescriptor<ConformanceBook>()).map(\.title),
        ["new"])
    },
    ConformanceCheck(.contexts, "shows external changes after a notification", needsReopening: true) {
      store in
      let here = try store.container()
      let there = try store.container()
      let context = ModelContext(here)
      let book = ConformanceBook(title: "before")
      context.insert(book)
      context.insert(ConformanceBook(title: "gone"))
      try context.save()
      let outside = ModelContext(there)
      for other in try outside.fetch(FetchDescriptor<ConformanceBook>()) {
        if other.title == "gone" { outside.delete(other) } else { other.title = "after" }
      }
      try outside.save()
      here.notifyExternalChange()
      try expect(
        "fetch after notifyExternalChange()",
        try context.fetch(FetchDescriptor<ConformanceBook>()).map(\.title), ["after"])
      try expect("a registered model after notifyExternalChange()", book.title, "after")
    },
    ConformanceCheck(.contexts, "accepts saves from many threads", exercises: [.concurrency]) { store in
      let container = try store.container()
      try CheckThread.all(
        (0..<8).map { thread in
          { @Sendable in
            let context = ModelContext(container)
            for number in 0..<10 {
              context.insert(ConformanceBook(title: "of thread \(thread)", pages: thread * 10 + number))
              try context.save()
            }
          }
        })
      let read: Models<ConformanceBook> = try container.all(\.pages)
      try expect("fetch after 80 saves by 8 threads: pages", read.map(\.pages), Array(0..<80))
    },
    ConformanceCheck(.contexts, "shows only complete saves during writes", exercises: [.concurrency]) { store in
      let container = try store.container()
      let context = ModelContext(container)
      let pair = [ConformanceBook(title: "pair"), ConformanceBook(title: "pair")]
      pair.forEach(context.insert)
      try context.save()
      let identifiers = pair.map(\.persistentModelID)
      let isDone = Mutex(false)
      let writer: @Sendable () throws -> Void = {
        defer { isDone.withLock { $0 = true } }
        let context = ModelContext(container)
        let pair = identifiers.compactMap { context.model(for: $0) as? ConformanceBook }
        for number in 1...40 {
          for book in pair { book.pages = number }
          try context.save()
        }
      }
      let reader: @Sendable () throws -> Void = {
        repeat {
          let context = ModelContext(container)
          let seen = try context.fetch(FetchDescriptor<ConformanceBook>()).map(\.pages)
          try expect("fetch during writes: count", seen.count, 2)
          try expect("fetch during writes: two values saved together", Set(seen).count, 1)
        } while !isDone.withLock { $0 }
      }
      try CheckThread.all([writer, reader, reader])
    },
  ]

  static let failures: [ConformanceCheck] = [
    ConformanceCheck(.failing, "remains unchanged when a save fails", needsBreaking: true) {
      store in
      let container = try store.container()
      let context = ModelContext(container)
      let author = ConformanceAuthor(name: "kept", books: [ConformanceBook(title: "kept")])
      let gone = ConformanceBook(title: "to go")
      context.insert(author)
      context.insert(gone)
      try context.save()
      author.name = "changed"
      author.books.append(ConformanceBook(title: "new"))
      context.delete(gone)
      try store.breakSaves(true)
      var isRefused = false
      do { try context.save() } catch { isRefused = true }
      try expect("save that must fail: throws an error", isRefused, true)
      try store.breakSaves(false)
      let books: Models<ConformanceBook> = try container.all(\.title)
      try expect("fetch after a failed save: models", books.map(\.title), ["kept", "to go"])
      let authors: Models<ConformanceAuthor> = try container.all(\.name)
      try expect("fetch after a failed save: values", authors.map(\.name), ["kept"])
      try expect(
        "fetch after a failed save: a list", authors.map { $0.books.map(\.title) }, [["kept"]])
      try attempt("second attempt after a failed save") { try context.save() }
      let saved: Models<ConformanceBook> = try container.all(\.title)
      try expect("fetch after saving again: models", saved.map(\.title), ["kept", "new"])
      let changed: Models<ConformanceAuthor> = try container.all(\.name)
      try expect(
        "fetch after saving again: a list", changed.map { $0.books.map(\.title).sorted() },
        [["kept", "new"]])
    },
    ConformanceCheck(.failing, "stores nothing when the context rejects a save") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let country = ConformanceCountry(name: "Norway", residents: [ConformanceResident(name: "Kari")])
      context.insert(country)
      try context.save()
      context.delete(country)
      context.insert(ConformanceBook(title: "never"))
      var isRefused = false
      do { try context.save() } catch { isRefused = true }
      try expect("save that violates a rule: throws an error", isRefused, true)
      try expect(
        "fetchCount after a rejected save",
        try ModelContext(container).fetchCount(FetchDescriptor<ConformanceBook>()), 0)
    },
  ]
}
