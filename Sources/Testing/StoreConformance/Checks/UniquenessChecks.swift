import Foundation
import Trellis

extension ConformanceCheck {
  static let uniqueness: [ConformanceCheck] = [
    ConformanceCheck(.uniqueness, "gives one model the values of a new one with its unique value") {
      store in
      let container = try store.container()
      let first = ModelContext(container)
      let member = ConformanceMember(number: 1, name: "Ada", visits: 3)
      first.insert(member)
      first.insert(ConformanceMember(number: 2, name: "Ben"))
      try first.save()
      let second = ModelContext(container)
      second.insert(ConformanceMember(number: 1, name: "Ada again"))
      try attempt("save of a model with the unique value of a stored one") { try second.save() }
      let read: Models<ConformanceMember> = try container.all(\.number)
      try expect("fetch after a unique value came again: names", read.map(\.name), ["Ada again", "Ben"])
      try expect(
        "fetch after a unique value came again: the identifier it had",
        read.first?.persistentModelID, member.persistentModelID)
    },
    ConformanceCheck(.uniqueness, "keeps one of new models with the same unique value") { store in
      let container = try store.container()
      let context = ModelContext(container)
      for visits in 0..<3 { context.insert(ConformanceMember(number: 1, visits: visits)) }
      context.insert(ConformanceMember(number: 2))
      try attempt("save of three new models with one unique value") { try context.save() }
      let read: Models<ConformanceMember> = try container.all(\.number)
      try expect("fetch after three new models with one unique value", read.map(\.number), [1, 2])
      try expect(
        "fetchCount after three new models with one unique value",
        try ModelContext(container).fetchCount(FetchDescriptor<ConformanceMember>()), 2)
    },
    ConformanceCheck(.uniqueness, "lets a unique value be used again after a deletion") { store in
      let container = try store.container()
      let context = ModelContext(container)
      let member = ConformanceMember(number: 1, name: "old")
      context.insert(member)
      try context.save()
      context.delete(member)
      try context.save()
      context.insert(ConformanceMember(number: 1, name: "new"))
      try context.save()
      let read: Models<ConformanceMember> = try container.all(\.number)
      try expect("fetch after a unique value was freed and taken", read.map(\.name), ["new"])
    },
  ]
}
