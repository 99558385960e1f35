/// The statements of a store by entity. Those of an entity are made when they are first used: a program that opens a
/// store of a hundred models uses few of them at first.
package final class StoreStatements: Sendable {
  private let entries: [Entry]
  private let byName: [String: Entry]
  private let byDefinition: [ObjectIdentifier: Entry]
  package let catalogue: StoreCatalogue
  /// The identifier of the store.
  package let store: String
  /// The unique constraints of the classes.
  let uniqueness: UniquePlans
  /// The SQL of the store's database.
  package let dialect: any SQLDialect
  private let files: ExternalFiles?
  /// The entries of the entities that identifiers name, and what references there are between tables.
  private let tokens = LazyReference<TokenTable>()
  private let references = LazyReference<DeletionPlan.References>()

  private final class Entry: Sendable {
    let entity: EntityLayout
    /// See ``EntityStatements/firstSlot``.
    let firstSlot: Int
    let plan = LazyReference<EntityStatements>()

    init(_ entity: EntityLayout, firstSlot: Int) {
      self.entity = entity
      self.firstSlot = firstSlot
    }
  }

  private final class TokenTable: Sendable {
    let entries: [IdentifierToken: Entry]

    init(_ entries: [IdentifierToken: Entry]) { self.entries = entries }
  }

  /// The number after those of the statements of all entities.
  let endSlot: Int

  /// - Parameter firstSlot: where the numbers of the statements begin. Two stores over one connection
  ///   must not have the same.
  package init(
    _ catalogue: StoreCatalogue, store: String, files: ExternalFiles? = nil,
    firstSlot: Int = Connection.FixedSlot.allCases.count, dialect: any SQLDialect = SQLiteDialect()
  ) {
    var next = firstSlot
    var entries: [Entry] = []
    for entity in catalogue.layout.entities {
      entries.append(Entry(entity, firstSlot: next))
      next += EntityStatements.slotCount(of: entity)
    }
    self.entries = entries
    endSlot = next
    self.catalogue = catalogue
    uniqueness = UniquePlans(catalogue.schema)
    self.store = store
    self.dialect = dialect
    self.files = files
    byName = Dictionary(entries.map { ($0.entity.name, $0) }, uniquingKeysWith: { old, _ in old })
    byDefinition = Dictionary(
      entries.map { (ObjectIdentifier($0.entity.definition), $0) },
      uniquingKeysWith: { old, _ in old })
  }

  package var all: [EntityStatements] { entries.map(plan(of:)) }

  /// The plan for rows with identifiers of a token; nil when they are of another store.
  package func plan(of token: IdentifierToken, _ store: String) throws -> EntityStatements? {
    if let entry = byToken[token] { return plan(of: entry) }
    let entry = token.entry
    return entry.store == store ? try plan(named: entry.entity) : nil
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
    if let entry = byDefinition[ObjectIdentifier(definition)] { return plan(of: entry) }
    return try plan(named: definition.entityName)
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
        deletion: DeletionPlan(entry.entity, references, dialect), firstSlot: entry.firstSlot, files: files,
        dialect: dialect))
  }

  private var byToken: [IdentifierToken: Entry] {
    if let table = tokens.load() { return table.entries }
    let roots = entries.filter { $0.entity.name == $0.entity.rootName }
    return tokens.storeIfNil(
      TokenTable(
        Dictionary(
          roots.map { (.interned(store: store, entity: $0.entity.rootName), $0) },
          uniquingKeysWith: { old, _ in old }))
    ).entries
  }
}
