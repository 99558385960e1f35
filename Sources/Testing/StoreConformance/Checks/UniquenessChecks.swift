import Foundation
import Trellis

extension ConformanceCheck {
  static let uniqueness: [ConformanceCheck] = [
    ConformanceCheck(.uniqueness, "updates the stored model if a new model has an equal unique value") {
      store in
      let container = try store.container()
      let first = ModelContext(container)
      let member = ConformanceMember(number: 1, name: "Ada", visits: 3)
      first.insert(member)
      first.insert(ConformanceMember(number: 2, name: "Ben"))
      try first.save()
      let second = ModelContext(container)
      second.insert(ConformanceMember(number: 1, name: "Ada again"))
      try attempt("saving a model with an existing unique value") { try second.save() }
      let read: Models<ConformanceMember> = try container.all(\.number)
      try expect("fetch after saving an existing unique value: names", read.map(\.name), ["Ada again", "Ben"])
      try expect(
        "fetch after saving an existing unique value: unchanged identifier",
        read.first?.persistentModelID, member.persistentModelID)
    },
    ConformanceCheck(.uniqueness, "merges new models with equal unique values") { store in
      let container = try store.container()
      let context = ModelContext(container)
      for visits in 0..<3 { context.insert(ConformanceMember(number: 1, visits: visits)) }
      context.insert(ConformanceMember(number: 2))
      try attempt("saving three new models with equal unique values") { try context.save() }
      let read: Models<ConformanceMember> = try container.all(\.number)
      try expect("fetch after saving three models with equal unique values", read.map(\.number), [1, 2])
      try expect(
        "fetchCount after saving three models with equal unique values",
        try ModelContext(container).fetchCount(FetchDescriptor<ConformanceMember>()), 2)
    },
    ConformanceCheck(.uniqueness, "allows a unique value to be reused after a deletion") { store in
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
      try expect("fetch after a unique value was reused", read.map(\.name), ["new"])
    },
  ]
}
