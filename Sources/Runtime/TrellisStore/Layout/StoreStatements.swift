/// The statements of a store by entity. Those of an entity are made when they are first used: a program that opens a
/// store of a hundred models uses few of them at first.
package final class StoreStatements: Sendable {
  private let entries: [Entry]
  private let byName: [String: Entry]
  package let catalogue: StoreCatalogue
  /// The identifier of the store.
  package let store: String
  private let madeUniqueness = LazyReference<UniquePlans>()
  /// The unique constraints of the classes.
  var uniqueness: UniquePlans {
    madeUniqueness.load() ?? madeUniqueness.storeIfNil(UniquePlans(catalogue.schema))
  }
  /// The SQL of the store's database.
  package let dialect: any SQLDialect
  private let files: ExternalFiles?
  /// The entries of the entities that identifiers name.
  private let byToken: [IdentifierToken: Entry]
  /// The references between tables.
  private let references = LazyReference<DeletionPlan.References>()

  private final class Entry: Sendable {
    let entity: EntityLayout
    let plan = LazyReference<EntityStatements>()

    init(_ entity: EntityLayout) { self.entity = entity }
  }

  package init(
    _ catalogue: StoreCatalogue, store: String, files: ExternalFiles? = nil, dialect: any SQLDialect = SQLiteDialect()
  ) {
    entries = catalogue.layout.entities.map(Entry.init)
    self.catalogue = catalogue
    self.store = store
    self.dialect = dialect
    self.files = files
    byName = Dictionary(entries.map { ($0.entity.name, $0) }, uniquingKeysWith: { old, _ in old })
    let roots = entries.filter { $0.entity.name == $0.entity.rootName }
    byToken = Dictionary(
      roots.map { (.interned(store: store, entity: $0.entity.rootName), $0) }, uniquingKeysWith: { old, _ in old })
  }

  package var all: [EntityStatements] { entries.map(plan(of:)) }

  /// The plan for rows with identifiers of a token; nil if they are of another store.
  package func plan(of token: IdentifierToken, _ store: String) throws -> EntityStatements? {
    if let entry = byToken[token] { return plan(of: entry) }
    let entry = token.entry
    return entry.store == store ? try plan(named: entry.entity) : nil
  }

  /// Calls `body` with the keys of identifiers, run by run. As a rule all of them are of one table.
  package func visitKeys(
    of identifiers: [PersistentIdentifier], _ body: (EntityStatements, [Int64]) throws -> Void
  ) throws {
    var rest = identifiers[...]
    while let token = rest.first?.token {
      let run = rest.prefix { $0.token == token }
      rest = rest[run.endIndex...]
      if let plan = try plan(of: token, store) { try body(plan, run.compactMap(\.row)) }
    }
  }

  package func plan(named name: String) throws -> EntityStatements {
    guard let entry = byName[name] ?? formerly(name) else {
      throw SwiftDataError.unknownSchema.explained("the store has no models '\(name)'")
    }
    return plan(of: entry)
  }

  /// The entity that was called so before: identifiers outlive a renaming.
  private func formerly(_ name: String) -> Entry? {
    catalogue.layout.entity(formerly: name).flatMap { byName[$0.name] }
  }

  package func plan(for definition: ModelDefinition) throws -> EntityStatements {
    try plan(named: definition.entityName)
  }

  @inline(__always) private func plan(of entry: Entry) -> EntityStatements {
    entry.plan.load() ?? makePlan(of: entry)
  }

  @inline(never) private func makePlan(of entry: Entry) -> EntityStatements {
    let references =
      references.load() ?? references.storeIfNil(DeletionPlan.References(catalogue))
    return entry.plan.storeIfNil(
      EntityStatements(
        entry.entity, in: catalogue.layout, store: store,
        constraints: catalogue.constraints[entry.entity.name] ?? [],
        deletion: DeletionPlan(entry.entity, references, dialect), files: files, dialect: dialect))
  }
}
