import Foundation
import Trellis

extension ConformanceCheck {
  static let deletion: [ConformanceCheck] = [
    ConformanceCheck(.deleting, "deletes by predicate") { store in
      let context = try filled(store)
      try context.delete(model: ConformanceBook.self, where: #Predicate { $0.pages < 7 })
      try context.save()
      let left: Models<ConformanceBook> = try context.container.all(\.pages)
      try expect("fetch after delete(model:where: pages < 7)", left.map(\.pages), [7, 8, 9])
      try context.delete(model: ConformanceBook.self, where: #Predicate { $0.price == nil })
      try context.save()
      let rest: Models<ConformanceBook> = try context.container.all(\.pages)
      try expect("fetch after delete(model:where: price == nil)", rest.map(\.pages), [8])
    },
    ConformanceCheck(.deleting, "deletes only matching models, or all models if there is no predicate") {
      store in
      let context = try filled(store)
      try context.delete(model: ConformanceBook.self, where: #Predicate { $0.pages > 100 })
      try context.save()
      let all = FetchDescriptor<ConformanceBook>()
      try expect(
        "fetchCount after delete(model:where:) with no matches",
        try ModelContext(context.container).fetchCount(all), 10)
      context.insert(ConformanceShelf(label: "stays"))
      try context.delete(model: ConformanceBook.self)
      try context.save()
      try expect("fetchCount after delete(model:)", try ModelContext(context.container).fetchCount(all), 0)
      try expect(
        "fetchCount for a second entity after delete(model:)",
        try ModelContext(context.container).fetchCount(FetchDescriptor<ConformanceShelf>()), 1)
    },
    ConformanceCheck(.deleting, "restores deleted models on rollback") { store in
      let context = try filled(store)
      try context.delete(model: ConformanceBook.self)
      context.rollback()
      try context.save()
      try expect(
        "fetchCount after delete(model:) and rollback",
        try ModelContext(context.container).fetchCount(FetchDescriptor<ConformanceBook>()), 10)
    },
    ConformanceCheck(.deleting, "erases everything and remains usable") { store in
      let container = try store.container()
      let context = ModelContext(container)
      context.insert(ConformanceAuthor(name: "gone", books: [ConformanceBook(title: "gone")]))
      context.insert(ConformanceFilm(title: "gone"))
      context.insert(ConformanceMember(number: 1))
      try context.save()
      try attempt("erase") { try container.erase() }
      let other = ModelContext(container)
      try expect("fetchCount after erase", try other.fetchCount(FetchDescriptor<ConformanceBook>()), 0)
      try expect(
        "fetchCount for subclasses after erase",
        try other.fetchCount(FetchDescriptor<ConformanceMedium>()), 0)
      other.insert(ConformanceMember(number: 1, name: "new"))
      try attempt("save after erase") { try other.save() }
      let members: Models<ConformanceMember> = try container.all(\.number)
      try expect("fetch after erase and save", members.map(\.name), ["new"])
    },
    ConformanceCheck(.deleting, "is empty when reopened after erase", needsReopening: true) {
      store in
      do { try filled(store).container.erase() }
      try expect(
        "fetchCount after erase and reopening",
        try ModelContext(store.container()).fetchCount(FetchDescriptor<ConformanceBook>()), 0)
    },
  ]
}
