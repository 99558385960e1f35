import Foundation
import SchemaFacts

/// The changes of the tables from one version to the next. They follow from the two schemas alone: no row is read.
struct StageChanges {
  let step: VersionStep
  let old: StoreCatalogue
  let new: StoreCatalogue
  /// The properties, as `Model.property`, to which fills give values.
  let fills: Set<String>
  /// The properties, as `Model.property`, whose former values may go.
  let accepted: Set<String>
  /// The old entities by the names of the new ones.
  private(set) var entities: [String: EntityLayout] = [:]
  /// The old names of properties, by new entity and new property.
  private var propertyNames: [String: [String: String]] = [:]
  var moves: [TableMove] = []
  /// Old tables that no new table continues.
  private(set) var dropped: [TableDefinition] = []
  /// In the order of the schema.
  var gaps: [MigrationGap] = []
  var checks: [MigrationCheck] = []
  var links: [Link] = []
  /// Statements that remove references to rows that have another class in the new version.
  var departures: [SQLFragment] = []
  /// The new names of the old tables that new tables continue.
  private(set) var tableNames: [String: String] = [:]

  init(_ step: VersionStep) throws {
    self.step = step
    old = try CatalogueBuilder.catalogue(of: step.from.schema)
    new = try CatalogueBuilder.catalogue(of: step.to.schema)
    fills = step.fills
    accepted = step.accepted
    pairEntities()
    for table in new.tables {
      let members = new.layout.entities.filter { $0.table == table.name }
      guard !members.isEmpty else {
        moves.append(joinMove(table))
        continue
      }
      var columns = ColumnMoves(of: table, members, in: self)
      try columns.run()
      gaps += columns.gaps
      checks += columns.checks
      moves.append(columns.move)
    }
    addLinks()
    addDepartures()
    for move in moves { if let source = move.source { tableNames[source.name] = move.table.name } }
    dropped = old.tables.filter { tableNames[$0.name] == nil }
    chooseRebuilds()
    if !step.isPlanned { addLosses() }
  }

  /// True if the tables stay as they are.
  var isEmpty: Bool { moves.allSatisfy(\.isUnchanged) && dropped.isEmpty }

  /// True if a store without a plan can be used as it is.
  var leavesTables: Bool { isEmpty && refusals.isEmpty && checks.isEmpty }

  /// True if the stage writes or deletes rows.
  var rewritesRows: Bool {
    moves.contains { $0.isRebuilt && $0.source != nil } || !dropped.isEmpty || !departures.isEmpty
  }

  /// True if a program of the old version reads the same values from the new tables.
  var onlyAdds: Bool {
    !rewritesRows
      && moves.allSatisfy { move in
        guard let source = move.source else { return true }
        return source.name == move.table.name && move.renamedClasses.isEmpty
          && move.origins.allSatisfy { $0.value.column == nil || $0.value.column == $0.key }
      }
  }

  /// The property of the old version that a property continues.
  func formerProperty(of property: ModelProperty, in new: EntityLayout) -> ModelProperty? {
    propertyNames[new.name]?[property.name].flatMap { entities[new.name]?.definition.layout.property(named: $0) }
  }

  /// The old column that a property continues; nil for a new property, and for one that was a list.
  func formerColumn(of property: ModelProperty, in new: EntityLayout) -> ColumnLayout? {
    guard let former = formerProperty(of: property, in: new), !former.kind.isToMany,
      let old = entities[new.name], old.columns.indices ~= former.slot
    else { return nil }
    return old.columns[former.slot]
  }

  /// The old list that a list continues; nil for a new list, and for one that was a reference.
  func formerList(of property: ModelProperty, in new: EntityLayout) -> ListLayout? {
    guard let former = formerProperty(of: property, in: new), former.kind.isToMany,
      let old = entities[new.name], old.lists.indices ~= former.slot
    else { return nil }
    return old.lists[former.slot]
  }

  /// True if references to the old model are references to the new one.
  func isSame(_ oldName: String, _ newName: String) -> Bool {
    guard let old = old.layout.entity(named: oldName), let new = new.layout.entity(named: newName)
    else { return false }
    // Rows that come into another table are new rows.
    if let former = entities[new.name], former.table != source(of: new.table) { return false }
    return entities[new.name] === old || entities[new.rootName]?.table == old.table
  }

  /// The old table whose rows a table of models gets.
  private func source(of table: String) -> String? {
    new.layout.entities.lazy.filter { $0.table == table }.compactMap { entities[$0.name]?.table }.first
  }

  private mutating func pairEntities() {
    let models = NamePairing(from: old.schema.entities.map(\.item), to: new.schema.entities.map(\.item))
    for entity in new.layout.entities {
      guard let former = models.origins[entity.name].flatMap({ old.layout.entity(named: $0) }) else { continue }
      entities[entity.name] = former
      propertyNames[entity.name] =
        NamePairing(
          from: former.definition.layout.properties.map { NamePairing.Item($0) },
          to: entity.definition.layout.properties.map { NamePairing.Item($0) }
        ).origins
    }
  }

  /// Decides which tables are rewritten and which keep their rows.
  private mutating func chooseRebuilds() {
    for index in moves.indices {
      let isFilled = moves[index].entities.contains { pair in
        fills.contains { $0.hasPrefix("\(pair.new.name).") }
      }
      // A custom step reads the old tables beside the new ones.
      moves[index].isRebuilt = step.hasCustomSteps || isFilled || !moves[index].canStay(tableNames)
    }
    // A table that stays follows the renaming of tables that stay, and of no others.
    var isSettled = false
    while !isSettled {
      isSettled = true
      let rebuilt = Set(moves.filter(\.isRebuilt).compactMap { $0.source?.name })
      for index in moves.indices where !moves[index].isRebuilt {
        let targets = moves[index].source?.columns.compactMap { $0.reference?.table } ?? []
        guard targets.contains(where: { rebuilt.contains($0) && tableNames[$0] != $0 }) else { continue }
        moves[index].isRebuilt = true
        isSettled = false
      }
    }
  }
}

/// A property whose value in the new version does not follow from the old version.
struct MigrationGap {
  let entity: String
  let property: String
  let table: String
  let column: String
  let reason: String
  /// The attribute in the old and the new version, if its type is the reason.
  var retyped: (old: ModelProperty, new: ModelProperty)?

  var text: String { property.isEmpty ? "'\(entity)' \(reason)" : "'\(entity).\(property)' \(reason)" }

  /// The two properties and the code with which `didMigrate` converts the values of an attribute.
  var recipe: String? {
    guard let (old, new) = retyped, case .attribute(let oldType) = old.kind, case .attribute(let newType) = new.kind
    else { return nil }
    func name(_ type: any Any.Type) -> String {
      guard let wrapped = (type as? any OptionalValue.Type)?.wrappedType else { return ValueTypeName(type).unqualified }
      return ValueTypeName(wrapped).unqualified + "?"
    }
    let former = "former" + old.name.prefix(1).uppercased() + old.name.dropFirst()
    let model = entity.prefix(1).lowercased() + entity.dropFirst()
    return """
        class \(entity) {
          @Attribute(originalName: "\(old.name)") var \(former): \(name(oldType))
          var \(property): \(name(newType))\(new.isOptional ? "" : " = \(Self.literal(newType))")
        didMigrate: { context in
          for \(model) in try context.fetch(FetchDescriptor<\(entity)>()) {
            \(model).\(property) = convert(\(model).\(former))
          }
          try context.save()
        }
      """
  }

  /// A default value as it is written.
  private static func literal(_ type: any Any.Type) -> String {
    if let scalar = ScalarType.allCases.first(where: { $0.valueType == type }) { return scalar.traits.example }
    return switch type {
    case is any ExpressibleByArrayLiteral.Type: "[]"
    case is any ExpressibleByDictionaryLiteral.Type: "[:]"
    default: "…"
    }
  }
}

/// A condition that no old row may meet, or else the stage needs more steps.
package struct MigrationCheck: Sendable {
  let entity: String
  /// Empty if the check is about all rows of the model.
  let property: String
  package let table: String
  let keyColumn: String
  let condition: SQLFragment
  let reason: String
  /// True if the check finds missing values, which a custom step may give.
  let isAboutMissing: Bool

  /// A statement for the keys of the first rows that meet the condition.
  ///
  /// - Parameter table: the table's name in the database.
  package func statement(in table: String) -> SQLFragment {
    "SELECT \(name: keyColumn) FROM \(name: table) WHERE \(condition) ORDER BY 1 LIMIT 3"
  }

  /// The error message for the rows with some keys.
  package func text(_ keys: [String]) -> String {
    let title = property.isEmpty ? entity : "\(entity).\(property)"
    return "'\(title)' \(reason): \(keys.map { "\(entity)/\($0)" }.joined(separator: ", "))"
  }
}
