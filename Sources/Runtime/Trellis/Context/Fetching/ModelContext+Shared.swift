import Foundation

/// Fetches of a form that was met before, in a context without changes: as `FetchPass` makes them, but
/// without generic code, which takes longer here than SQLite does.
extension ModelContext {
  /// The models; nil where it takes a `FetchPass`.
  func sharedModels<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T]? {
    try shared(descriptor) { question, table in
      if let identifier = question.form.identifier(at: question.place) {
        guard let models = try identified(identifier, question, table) else { return nil }
        return Self.typed(models, table)
      }
      let receiver = ModelReceiver(table: table, isRemembered: true)
      guard try table.store.fetch(question, into: receiver) else { return nil }
      receiver.remember()
      return receiver.typed(as: T.self)
    }
  }

  func sharedCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int? {
    try shared(descriptor) { question, table in
      question.form.isIdentity ? nil : try table.store.count(question)
    }
  }

  func sharedIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier]? {
    try shared(descriptor) { question, table in
      question.form.isIdentity ? nil : try table.store.identifiers(question)
    }
  }

  private func shared<T: PersistentModel, R>(
    _ descriptor: FetchDescriptor<T>, _ body: (SharedQuestion, IdentityTable) throws -> R?
  ) throws -> R? {
    guard !pending.hasChanges, let predicate = descriptor.predicate, descriptor.sortBy.isEmpty,
      !descriptor.loadsParts
    else { return nil }
    let definition = T._$definition
    let table = try table(for: definition)
    guard let form = PredicateForm.of(predicate) else { return nil }
    let offset = Int64(max(0, descriptor.fetchOffset ?? 0))
    let limit = descriptor.fetchLimit.map { Int64(max(0, $0)) }
    do {
      return try predicate.withExpression { _, place in
        try body(
          SharedQuestion(
            definition: definition, form: form, place: place, isPaged: limit != nil || offset > 0,
            limit: limit ?? -1, offset: offset),
          table)
      }
    } catch let error as DataStoreError where error.isPreference {
      return nil
    }
  }

  private func identified(
    _ identifier: PersistentIdentifier, _ question: SharedQuestion, _ table: IdentityTable
  ) throws -> [AnyObject]? {
    guard identifier.token == table.token, table.store.isRelational else { return nil }
    guard question.limit != 0, question.offset == 0 else { return [] }
    if let object = table.object(identifier) { return [object] }
    let receiver = ModelReceiver(table: table)
    try core.withScope(reading: table.store) {
      try table.store.load(identifier, table.definition, editingState, receiver)
    }
    return receiver.models
  }

  private static func typed<T: PersistentModel>(_ objects: [AnyObject], _ table: IdentityTable) -> [T] {
    // The codec of the table makes objects of exactly this class or of subclasses.
    if table.definition.modelType == T.self { return unsafeBitCast(objects, to: [T].self) }
    return objects.compactMap { $0 as? T }
  }
}
