/// The statements of one entity and what their columns mean.
package final class EntityStatements: Sendable {
  package let entity: EntityLayout
  package let dialect: any SQLDialect
  /// Names the rows: those of a hierarchy carry the name of its root, because a reference to one
  /// does not say which entity it is of.
  package let token: IdentifierToken
  /// Of the entity itself; its columns are those of `insertion`, its own parameters.
  package let shape: RowShape
  /// By entity name, when rows of several entities can come.
  package let shapes: [String: RowShape]
  /// The columns of a row, in the order of the statement.
  package let selection: SQLFragment
  /// How many columns that is.
  let selectionCount: Int32
  /// Restricts a shared table to the entity's rows; empty when nothing is to be restricted.
  let restriction: SQLFragment
  package let constraints: [UniqueConstraint]
  /// The lists whose members are not told by the members' own to-one references alone.
  package let writtenLists: [ListLayout]
  let deletionPlan: DeletionPlan
  /// To-one relationships whose other end is a to-one as well.
  package let pairs: [Relation]
  /// The number of the first statement of this entity on every connection.
  let firstSlot: Int
  /// Names the plan among those of all stores.
  package let number = NumberedText.nextNumber()

  private let madeConflicts = LazyReference<ConflictStatements>()
  var conflictStatements: ConflictStatements {
    madeConflicts.load() ?? madeConflicts.storeIfNil(ConflictStatements(self))
  }

  private let madeTombstones = LazyReference<Tombstones>()
  /// Nil when nothing outlives a row.
  package var tombstones: TombstonePlan? {
    (madeTombstones.load() ?? madeTombstones.storeIfNil(Tombstones(TombstonePlan(entity)))).plan
  }

  private final class Tombstones: Sendable {
    let plan: TombstonePlan?
    init(_ plan: TombstonePlan?) { self.plan = plan }
  }

  package enum Slot: Int, CaseIterable {
    case fetchAll, keys, fetchFrom, byKey, byKeys, insertion, update, deletion
  }

  package init(
    _ entity: EntityLayout, in layout: StoreLayout, store: String,
    constraints: [UniqueConstraint], deletion: DeletionPlan, firstSlot: Int, files: ExternalFiles?,
    dialect: any SQLDialect
  ) {
    self.entity = entity
    self.dialect = dialect
    deletionPlan = deletion
    pairs = entity.definition.relations.references.filter { $0.inverse?.kind.isToMany == false }
    self.constraints = constraints
    self.firstSlot = firstSlot
    writtenLists = entity.lists.filter { list in
      if case .join = list.kind { true } else { list.orderColumn != nil }
    }
    let token = IdentifierToken.interned(store: store, entity: entity.rootName)
    self.token = token
    let members = entity.discriminators.compactMap { layout.entity(named: $0) }
    let entities = members.count > 1 ? members : [entity]
    var names: [String] = []
    var positions: [String: Int32] = [:]
    // The properties of flattened structs come last: the place of a slot follows from its number.
    let all = entities.flatMap(\.columns)
    for name in all.map(\.name) + all.flatMap(\.names) where positions[name] == nil {
      positions[name] = Int32(names.count + (members.count > 1 ? 2 : 1))
      names.append(name)
    }
    let shapes = entities.map { member in
      RowShape(
        entity: member, token: token,
        destinations: member.columns.map { column in
          let root = column.destination.flatMap { layout.entity(named: $0)?.rootName }
          return root.map { .interned(store: store, entity: $0) } ?? token
        },
        columns: member.columns.map { positions[$0.name] ?? 0 },
        members: Dictionary(
          member.columns.filter { !$0.members.isEmpty }.map { column in
            (column.slot, column.members.map { positions[$0.name] ?? 0 })
          }, uniquingKeysWith: { old, _ in old }),
        files: files, layout: layout)
    }
    shape = shapes.first { $0.entity === entity } ?? shapes[0]
    self.shapes =
      members.count > 1
      ? Dictionary(shapes.map { ($0.entity.name, $0) }, uniquingKeysWith: { old, _ in old }) : [:]
    let head = members.count > 1 ? [entity.keyColumn, entity.entityColumn] : [entity.keyColumn]
    let alias = PredicateTranslator.rootAlias
    selectionCount = Int32(head.count + names.count)
    selection = (head + names).map { "\(column: $0, of: alias)" as SQLFragment }
      .joined(separator: ", ")
    restriction =
      entity.name == entity.rootName || entity.discriminators.isEmpty
      ? "" : Self.restriction(entity.discriminators, entity.entityColumn)
  }

  private static func restriction(_ names: [String], _ column: String) -> SQLFragment {
    let values = names.map { "\(value: .text($0))" as SQLFragment }.joined(separator: ", ")
    return "\(column: column, of: PredicateTranslator.rootAlias) IN (\(values))"
  }

  /// The owners that a statement for members of lists is for.
  package enum Owners: Int, CaseIterable {
    case one
    /// Owners whose keys lie between two keys.
    case range
    /// Owners whose keys are in a JSON array.
    case listed
  }

  package func slot(_ slot: Slot) -> Int { firstSlot + slot.rawValue }
  /// The statement for the members of a list of some owners.
  package func slot(list: Int, of owners: Owners = .one) -> Int {
    firstSlot + Slot.allCases.count + Owners.allCases.count * list + owners.rawValue
  }
  /// The statement that counts the members of a list, or tells whether there are any.
  package func slot(counting list: Int, isExistence: Bool) -> Int {
    slot(list: entity.lists.count) + 2 * list + (isExistence ? 1 : 0)
  }
  /// How many statements an entity has numbers for.
  static func slotCount(of entity: EntityLayout) -> Int {
    Slot.allCases.count + (Owners.allCases.count + 2) * entity.lists.count
  }

  /// The key of the entity's own table, as SELECT statements name it.
  package var key: SQLFragment {
    "\(column: entity.keyColumn, of: PredicateTranslator.rootAlias)"
  }

  /// The entity's own table, as SELECT statements name it.
  package var source: SQLFragment {
    "\(name: entity.table) AS \(name: PredicateTranslator.rootAlias)"
  }
}
