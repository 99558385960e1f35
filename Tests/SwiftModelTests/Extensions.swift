import Trellis

/// Extensions and generic helpers can use the models like any other class.
extension Trip {
  var isLong: Bool { days > 5 }

  static func named(_ name: String, in context: ModelContext) throws -> [Trip] {
    try context.fetch(FetchDescriptor(predicate: #Predicate { $0.name == name }))
  }
}

func all<M: PersistentModel>(_ type: M.Type, in context: ModelContext) throws -> [M] {
  try context.fetch(FetchDescriptor<M>())
}
