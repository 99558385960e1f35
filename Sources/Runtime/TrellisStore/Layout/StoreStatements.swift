/// A store's statements by entity. Each entity's statements are created on first use because an app rarely needs every
/// model at launch.
package final class StoreStatements: Sendable {
  private let entries: [Entry]
  private let byName: [String: Entry]
  package let catalogue: StoreCatalogue
  /// The store identifier.
  package let store: String
  private let madeUniqueness = LazyReference<UniquePlans>()
  /// Unique constraints by class.
  var uniqueness: UniquePlans {
    madeUniqueness.load() ?? madeUniqueness.storeIfNil(UniquePlans(catalogue.schema))
  }
  /// The database's SQL dialect.
  package let dialect: any SQLDialect
  private let files: ExternalFiles?
  /// Entities by identifier token.
  private let byToken: [IdentifierToken: Entry]
  /// Cached table references.
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

  /// Returns the plan for rows with a token; `nil` if the token belongs to a different store.
  package func plan(of token: IdentifierToken, _ store: String) throws -> EntityStatements? {
    if let entry = byToken[token] { return plan(of: entry) }
    let entry = token.entry
    return entry.store == store ? try plan(named: entry.entity) : nil
  }

  /// Calls `body` with each run of keys that share a table. Usually there is a single run.
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
      throw SwiftDataError.unknownSchema.explained("the store has no model '\(name)'")
    }
    return plan(of: entry)
  }

  /// Returns the entity that previously had this name. Identifiers with the old name remain valid after a rename.
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
