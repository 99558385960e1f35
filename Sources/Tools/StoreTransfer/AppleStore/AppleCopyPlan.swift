package import AppleStore
package import Foundation
import SchemaImport
import SchemaModel
import SchemaVersions
import Trellis

/// Maps a Core Data store's tables to a new store's tables.
package struct AppleCopyPlan {
  private let layout: AppleStoreLayout
  private let target: TransferTarget
  private var preparations: [SQLFragment] = []
  private var tables: [TableCopy] = []
  private var functions: [TransferFunction] = []
  /// The copied and omitted properties and rows.
  private(set) var report: AppleStoreReport
  /// Required properties that are missing in the store.
  private var missing: [String] = []
  private var numbers = 0
  /// Order columns by entity.
  private var positions: [String: [ColumnCopy]] = [:]

  /// - Parameter source: The store's copy.
  /// - Throws: ``AppleStoreProblem`` if the store has no values for a required property.
  package static func plan(
    _ layout: AppleStoreLayout, into target: TransferTarget, source: URL, files: AppleExternalFiles
  ) throws(AppleStoreProblem) -> (plan: CopyPlan, report: AppleStoreReport) {
    var builder = AppleCopyPlan(layout, target)
    builder.functions = AppleStoreValues.functions(files)
    builder.addPositions()
    for entity in target.resolved.entities { builder.add(entity) }
    builder.unifyColumns()
    try builder.addJoins()
    builder.reportRest()
    guard builder.missing.isEmpty else {
      throw AppleStoreProblem(
        "the store has no values for \(builder.missing.joined(separator: ", ")); import it with the sources that "
          + "wrote it, and migrate the new store afterwards")
    }
    let plan = CopyPlan(
      source: source, preparations: builder.preparations, tables: builder.tables, functions: builder.functions)
    return (plan, builder.report)
  }

  private init(_ layout: AppleStoreLayout, _ target: TransferTarget) {
    self.layout = layout
    self.target = target
    report = AppleStoreReport(layout)
  }

  private mutating func number() -> Int {
    numbers += 1
    return numbers
  }

  /// The entity's name in the store: the current or original name.
  private func source(of entity: ResolvedEntity) -> String? {
    let names = layout.model.entities.map(\.name)
    return [entity.name, entity.originalName].compactMap { $0 }.first { names.contains($0) }
  }

  private func source(of entity: String) -> String? {
    target.resolved.entities.first { $0.name == entity }.flatMap { source(of: $0) }
  }

  // MARK: - Entities

  private mutating func add(_ entity: ResolvedEntity) {
    guard let source = source(of: entity) else {
      return report.note("'\(entity.name)' is no entity of the store and has no rows")
    }
    guard let place = target.entity(named: entity.name), let number = layout.number(of: source) else { return }
    var columns = [
      ColumnCopy(name: place.keyColumn, origin: "Z_PK", expression: column("Z_PK"), form: .key, isRequired: true)
    ]
    if !place.discriminators.isEmpty {
      columns.append(
        ColumnCopy(
          name: place.entityColumn, origin: "Z_ENT", expression: "\(literal: entity.name)", form: .text,
          isRequired: true))
    }
    for (owner, property) in properties(of: entity) {
      switch property {
      case .attribute(let attribute):
        guard !attribute.isTransient, !attribute.options.contains(.ephemeral) else { continue }
        columns += self.columns(of: attribute, in: entity, source, isOwn: owner == entity.name)
      case .relationship(let relationship):
        guard !relationship.isToMany else { continue }
        columns += reference(relationship, in: entity, source, isOwn: owner == entity.name)
      }
    }
    columns += positions[entity.name] ?? []
    let table = layout.table(of: source)
    let real = layout.contents.columns[table] ?? []
    tables.append(
      TableCopy(
        entity: entity.name, origin: table, table: place.table, columns: columns,
        rows: "\(name: CopyPlan.schema).\(name: table) AS \"s\" WHERE \(column("Z_ENT")) = \(number: Int(number))",
        number: column("Z_PK"), values: real.map { ($0, column($0)) }, expectedCount: layout.rowCount(of: source),
        hasCondition: true))
    report.copied(source, as: entity.name)
  }

  /// Gives all copies into a table the same columns. A column is NULL for classes that lack it.
  private mutating func unifyColumns() {
    for (_, group) in Dictionary(grouping: tables.indices, by: { tables[$0].table }) where group.count > 1 {
      var columns: [ColumnCopy] = []
      for column in group.flatMap({ tables[$0].columns }) where !columns.contains(where: { $0.name == column.name }) {
        columns.append(column)
      }
      for index in group {
        tables[index].origin += " (\(tables[index].entity))"
        tables[index].columns = columns.map { column in
          if let own = tables[index].columns.first(where: { $0.name == column.name }) { return own }
          var empty = column
          empty.expression = "NULL"
          empty.isRequired = false
          return empty
        }
      }
    }
  }

  /// The entity's own and inherited properties, with the declaring class.
  private func properties(of entity: ResolvedEntity) -> [(owner: String, property: ResolvedProperty)] {
    var chain: [ResolvedEntity] = []
    var next: ResolvedEntity? = entity
    while let current = next, chain.count < ResolvedSchema.maximumDepth {
      chain.append(current)
      next = current.superentity.flatMap { name in target.resolved.entities.first { $0.name == name } }
    }
    return chain.reversed().flatMap { owner in owner.properties.map { (owner.name, $0) } }
  }

  private func column(_ name: String) -> SQLFragment { "\(column: name, of: "s")" }

  // MARK: - Attributes

  private mutating func columns(
    of attribute: ResolvedAttribute, in entity: ResolvedEntity, _ source: String, isOwn: Bool
  ) -> [ColumnCopy] {
    let names = [attribute.name, attribute.originalName].compactMap { $0 }
    guard let stored = names.compactMap({ layout.attribute($0, of: source) }).first else {
      if isOwn { lacks("\(entity.name).\(attribute.name)", isOptional: attribute.type.isOptional) }
      return []
    }
    if isOwn { report.copied(stored.name, of: source) }
    let isRequired = !attribute.type.isOptional
    if attribute.storage == .flattened, case .structure(let name) = attribute.type.unwrapped,
      let type = structure(name)
    {
      return flattened(attribute, type, stored, in: entity, source)
    }
    guard stored.type == "Composite" else {
      guard let origin = layout.column(of: stored.name, in: source) else { return [] }
      return copy(
        attribute.name, of: entity, origin, expression(for: attribute.type, stored, origin, attribute.name, entity),
        isRequired)
    }
    if let raw = AppleStoreModel.rawValue(of: stored, in: layout.model),
      target.form(of: attribute.name, in: entity.name) != .json,
      let origin = layout.column(of: "\(stored.name).\(raw.name)", in: source)
    {
      return copy(
        attribute.name, of: entity, origin, expression(for: attribute.type, raw, origin, attribute.name, entity),
        isRequired)
    }
    guard let text = json(of: stored, at: stored.name, in: source, as: attribute.type) else {
      missing.append("'\(entity.name).\(attribute.name)', which is stored as separate values")
      return []
    }
    return copy(attribute.name, of: entity, stored.name, text, isRequired)
  }

  private func copy(
    _ property: String, of entity: ResolvedEntity, _ origin: String, _ expression: SQLFragment, _ isRequired: Bool
  ) -> [ColumnCopy] {
    guard var copy = target.column(property, of: entity.name, from: origin, expression) else { return [] }
    // If several classes share a table, every column is nullable.
    copy.isRequired = copy.isRequired || isRequired
    return [copy]
  }

  /// Reports a property that has no values in the store.
  private mutating func lacks(_ title: String, isOptional: Bool) {
    if isOptional {
      report.note("'\(title)' is missing in the store and is nil in every row")
    } else {
      missing.append("'\(title)'")
    }
  }

  private mutating func flattened(
    _ attribute: ResolvedAttribute, _ type: ResolvedStruct, _ stored: CoreDataAttribute, in entity: ResolvedEntity,
    _ source: String
  ) -> [ColumnCopy] {
    let elements = elements(of: stored)
    var copies: [ColumnCopy] = []
    var origins: [String] = []
    for field in type.fields {
      let names = [field.name, type.coding.name(of: field.name)].compactMap { $0 }
      guard let element = elements.first(where: { names.contains($0.name) }) else {
        lacks("\(entity.name).\(attribute.name).\(field.name)", isOptional: field.type.isOptional)
        continue
      }
      let path = "\(stored.name).\(element.name)"
      let property = "\(attribute.name).\(field.name)"
      // If an optional struct is nil, every field is NULL.
      let isRequired = !attribute.type.isOptional && !field.type.isOptional
      guard element.type != "Composite" else {
        guard let text = json(of: element, at: path, in: source, as: field.type) else { continue }
        copies += copy(property, of: entity, path, text, isRequired)
        continue
      }
      guard let origin = layout.column(of: path, in: source) else { continue }
      origins.append(origin)
      copies += copy(
        property, of: entity, origin, expression(for: field.type, element, origin, property, entity), isRequired)
    }
    guard attribute.type.isOptional, !origins.isEmpty else { return copies }
    let isNil = origins.map { "\(column($0)) IS NULL" as SQLFragment }.joined(separator: " AND ")
    return copy(
      attribute.name, of: entity, stored.name, "CASE WHEN \(isNil) THEN NULL ELSE 1 END", false) + copies
  }

  private func elements(of attribute: CoreDataAttribute) -> [CoreDataAttribute] {
    layout.model.composites.first { $0.name == attribute.composite }?.attributes ?? []
  }

  private func structure(_ name: String) -> ResolvedStruct? { target.resolved.structs.first { $0.name == name } }

  private func expression(
    for type: ValueType, _ stored: CoreDataAttribute, _ origin: String, _ property: String, _ entity: ResolvedEntity
  ) -> SQLFragment {
    let value = column(origin)
    switch target.form(of: property, in: entity.name) {
    case .real:
      if case .scalar(.float) = type.unwrapped { return "apple_float(\(value))" }
      return "CASE typeof(\(value)) WHEN 'integer' THEN CAST(\(value) AS REAL) ELSE \(value) END"
    case .canonical(.decimal): return "\(name: TransferFunctions.decimal)(\(value))"
    case .canonical(.uuid): return "\(name: TransferFunctions.uuid)(\(value))"
    case .json: return stored.isExternal ? "apple_json(apple_external(\(value)))" : "apple_json(\(value))"
    case .external where stored.isExternal, .data where stored.isExternal: return "apple_external(\(value))"
    case .integer:
      if case .scalar(let scalar) = type.unwrapped, scalar == .uint64 || scalar == .uint {
        return "apple_unsigned(\(value))"
      }
      return value
    default: return value
    }
  }

  // MARK: - JSON

  /// Returns the expression for the JSON text of a struct that is stored in separate columns.
  private mutating func json(
    of attribute: CoreDataAttribute, at path: String, in source: String, as type: ValueType
  ) -> SQLFragment? {
    var columns: [String] = []
    guard let shape = shape(of: attribute, path, source, type.unwrapped, &columns), (1...100).contains(columns.count)
    else { return nil }
    let name = "apple_struct_\(number())"
    let isOptional = type.isOptional
    functions.append(
      TransferFunction(name, columns.count) { values in
        var rest = values[...]
        return AppleJSON.text(shape, &rest).map { .text($0) } ?? (isOptional ? .null : .text("{}"))
      })
    return "\(name: name)(\(columns.map { column($0) }.joined(separator: ", ")))"
  }

  private func shape(
    of attribute: CoreDataAttribute, _ path: String, _ source: String, _ type: ValueType?,
    _ columns: inout [String]
  ) -> AppleJSON.Shape? {
    guard attribute.type == "Composite" else {
      guard let column = layout.column(of: path, in: source) else { return nil }
      columns.append(column)
      return Self.shapes[attribute.type] ?? .json
    }
    var names: [String: String] = [:]
    var types: [String: ValueType] = [:]
    if case .structure(let name)? = type, let structure = structure(name) {
      for field in structure.fields {
        names[field.name] = structure.coding.name(of: field.name) ?? field.name
        types[field.name] = field.type
      }
    }
    if let raw = AppleStoreModel.rawValue(of: attribute, in: layout.model), types.isEmpty {
      return shape(of: raw, "\(path).\(raw.name)", source, nil, &columns)
    }
    var fields: [AppleJSON.Field] = []
    for element in elements(of: attribute) {
      guard
        let shape = shape(
          of: element, "\(path).\(element.name)", source, types[element.name]?.unwrapped, &columns)
      else { return nil }
      fields.append(
        AppleJSON.Field(key: names[element.name] ?? element.name, shape: shape, isOptional: element.isOptional))
    }
    return .object(fields)
  }

  private static let shapes: [String: AppleJSON.Shape] = [
    "Boolean": .bool, "UUID": .uuid, "Decimal": .decimal, "Binary": .data, "Date": .date, "String": .text,
    "URI": .text, "Double": .number, "Float": .number, "Integer 16": .number, "Integer 32": .number,
    "Integer 64": .number,
  ]

  // MARK: - Relationships

  private mutating func reference(
    _ relationship: ResolvedRelationship, in entity: ResolvedEntity, _ source: String, isOwn: Bool
  ) -> [ColumnCopy] {
    let names = [relationship.name, relationship.originalName].compactMap { $0 }
    guard let found = names.compactMap({ layout.relationship($0, of: source) }).first,
      !found.relationship.isToMany, let origin = layout.column(of: found.relationship.name, in: source)
    else {
      if isOwn { lacks("\(entity.name).\(relationship.name)", isOptional: relationship.isOptional) }
      return []
    }
    if isOwn { report.copied(found.relationship.name, of: source) }
    return copy(relationship.name, of: entity, origin, column(origin), !relationship.isOptional)
  }

  /// Finds a list's source in the store's model.
  private func list(
    _ relationship: ResolvedRelationship, of entity: ResolvedEntity
  ) -> (owner: String, relationship: CoreDataRelationship)? {
    guard let source = source(of: entity) else { return nil }
    let names = [relationship.name, relationship.originalName].compactMap { $0 }
    let found = names.compactMap { layout.relationship($0, of: source) }.first
    return found.flatMap { $0.relationship.isToMany ? $0 : nil }
  }

  private var lists: [(entity: ResolvedEntity, relationship: ResolvedRelationship)] {
    target.resolved.entities.flatMap { entity in
      entity.properties.compactMap { property in
        guard case .relationship(let relationship) = property, relationship.isToMany else { return nil }
        return (entity, relationship)
      }
    }
  }

  /// Adds position columns for ordered lists whose members refer to the owner.
  private mutating func addPositions() {
    for (entity, relationship) in lists {
      guard let place = self.place(of: relationship, in: entity),
        let column = place.orderColumn, let source = list(relationship, of: entity),
        let inverse = layout.inverse(of: source.relationship),
        let owner = layout.column(of: inverse.relationship.name, in: inverse.owner)
      else { continue }
      let table = layout.table(of: inverse.owner)
      let order = layout.orderColumn(for: owner, in: table)
      if order == nil {
        report.note("'\(entity.name).\(relationship.name)' has no order in the store; its members are in row order")
      }
      let copy = ColumnCopy(
        name: column, origin: order ?? owner,
        expression: positions(in: table, key: "Z_PK", of: owner, by: order, number: self.column("Z_PK")),
        form: .key, isRequired: false)
      // The members' subclasses have the column too.
      for member in target.resolved.entities where inherits(member, from: relationship.destination) {
        positions[member.name, default: []].append(copy)
      }
    }
  }

  /// A list's layout in the new store.
  private func place(of relationship: ResolvedRelationship, in entity: ResolvedEntity) -> ListLayout? {
    target.entity(named: entity.name)?.lists.first { $0.property.name == relationship.name }
  }

  private func inherits(_ entity: ResolvedEntity, from name: String) -> Bool {
    var next: ResolvedEntity? = entity
    for _ in 0..<ResolvedSchema.maximumDepth {
      guard let current = next else { return false }
      if current.name == name { return true }
      next = current.superentity.flatMap { name in target.resolved.entities.first { $0.name == name } }
    }
    return false
  }

  /// Numbers each list's rows from 0, because the store's numbers have gaps.
  ///
  /// - Returns: The expression for a row's position.
  private mutating func positions(
    in table: String, key: String, of owner: String, by order: String?, number: SQLFragment
  ) -> SQLFragment {
    let name = "apple_order_\(self.number())"
    let sort: SQLFragment = order.map { "\(name: $0), \(name: key)" } ?? "\(name: key)"
    preparations.append(
      "CREATE TEMP TABLE \(name: name) (\"key\" INTEGER PRIMARY KEY, \"place\" INTEGER NOT NULL) STRICT")
    preparations.append(
      """
      INSERT INTO temp.\(name: name) ("key", "place")
      SELECT \(name: key), row_number() OVER (PARTITION BY \(name: owner) ORDER BY \(sort)) - 1
      FROM \(name: CopyPlan.schema).\(name: table) WHERE \(name: owner) IS NOT NULL
      """)
    return "(SELECT \"place\" FROM temp.\(name: name) WHERE \"key\" = \(number))"
  }

  private mutating func addJoins() throws(AppleStoreProblem) {
    var done: Set<String> = []
    for (entity, relationship) in lists {
      guard let source = list(relationship, of: entity) else {
        if self.source(of: entity) != nil {
          report.note("'\(entity.name).\(relationship.name)' is missing in the store and is empty in every row")
        }
        continue
      }
      report.copied(source.relationship.name, of: source.owner)
      guard let place = self.place(of: relationship, in: entity),
        case .join(let table, let owner, let member, let position) = place.kind, done.insert(table).inserted
      else { continue }
      let title = "\(entity.name).\(relationship.name)"
      if layout.isOneWay(source.relationship) {
        addOneWay(title, source, (table, owner, member, position))
        continue
      }
      let join = try layout.join(of: source.relationship, in: source.owner)
      if relationship.inverseName == relationship.name, relationship.destination == entity.name {
        addMirrored(title, join, (table, owner, member))
        continue
      }
      var columns = pair(owner, column(join.owner), join.owner, member, column(join.member), join.member)
      let number: SQLFragment = "\(column: "rowid", of: "s")"
      if let position {
        columns.append(
          self.position(position, in: join.table, "rowid", of: join.owner, by: join.order, number, title))
      }
      if let other = inversePosition(of: relationship, table) {
        columns.append(
          self.position(other, in: join.table, "rowid", of: join.member, by: join.inverseOrder, number, title))
      }
      tables.append(
        TableCopy(
          entity: title, origin: join.table, table: table, columns: columns,
          rows: "\(name: CopyPlan.schema).\(name: join.table) AS \"s\"", number: number,
          values: [(join.owner, column(join.owner)), (join.member, column(join.member))]))
    }
  }

  /// The inverse list's position column, if that list is ordered.
  private func inversePosition(of relationship: ResolvedRelationship, _ table: String) -> String? {
    guard let inverse = relationship.inverseName,
      let list = target.entity(named: relationship.destination)?.lists.first(where: { $0.property.name == inverse }),
      case .join(table, _, _, let position) = list.kind
    else { return nil }
    return position
  }

  private mutating func position(
    _ name: String, in table: String, _ key: String, of owner: String, by order: String?, _ number: SQLFragment,
    _ title: String
  ) -> ColumnCopy {
    if order == nil { report.note("'\(title)' has no order in the store; its members are in row order") }
    return ColumnCopy(
      name: name, origin: order ?? key,
      expression: positions(in: table, key: key, of: owner, by: order, number: number), form: .key, isRequired: false)
  }

  private func pair(
    _ owner: String, _ ownerKey: SQLFragment, _ ownerOrigin: String, _ member: String, _ memberKey: SQLFragment,
    _ memberOrigin: String
  ) -> [ColumnCopy] {
    [
      ColumnCopy(name: owner, origin: ownerOrigin, expression: ownerKey, form: .key, isRequired: true),
      ColumnCopy(name: member, origin: memberOrigin, expression: memberKey, form: .key, isRequired: true),
    ]
  }

  /// Adds a one-way list: the members' table contains the owner.
  private mutating func addOneWay(
    _ title: String, _ source: (owner: String, relationship: CoreDataRelationship),
    _ place: (table: String, owner: String, member: String, position: String?)
  ) {
    guard let origin = layout.column(of: source.relationship.name, in: source.owner) else { return }
    let members = layout.table(of: source.relationship.destination)
    var columns = pair(place.owner, column(origin), origin, place.member, column("Z_PK"), "Z_PK")
    if let position = place.position {
      columns.append(
        self.position(
          position, in: members, "Z_PK", of: origin, by: layout.orderColumn(for: origin, in: members),
          column("Z_PK"), title))
    }
    tables.append(
      TableCopy(
        entity: title, origin: members, table: place.table, columns: columns,
        rows: "\(name: CopyPlan.schema).\(name: members) AS \"s\" WHERE \(column(origin)) IS NOT NULL",
        number: column("Z_PK"), values: [(origin, column(origin)), ("Z_PK", column("Z_PK"))], hasCondition: true))
  }

  /// Adds a self-inverse list: the new store contains each pair in both directions.
  private mutating func addMirrored(
    _ title: String, _ join: AppleStoreLayout.Join, _ place: (table: String, owner: String, member: String)
  ) {
    let name = "apple_pairs_\(number())"
    preparations.append("CREATE TEMP TABLE \(name: name) (\"number\" INTEGER PRIMARY KEY, \"owner\", \"member\")")
    preparations.append(
      """
      INSERT INTO temp.\(name: name) ("owner", "member")
      SELECT \(name: join.owner), \(name: join.member) FROM \(name: CopyPlan.schema).\(name: join.table)
      UNION SELECT \(name: join.member), \(name: join.owner) FROM \(name: CopyPlan.schema).\(name: join.table)
      """)
    tables.append(
      TableCopy(
        entity: title, origin: join.table, table: place.table,
        columns: pair(place.owner, column("owner"), join.owner, place.member, column("member"), join.member),
        rows: "temp.\(name: name) AS \"s\"", number: column("number"),
        values: [("owner", column("owner")), ("member", column("member"))]))
  }

  // MARK: - Report

  private mutating func reportRest() {
    for assumption in layout.assumptions { report.note(assumption) }
    for column in layout.unclaimed {
      report.note("not copied: the column '\(column)', which belongs to no property of the model")
    }
    let known = Dictionary(
      layout.model.entities.compactMap { entity in layout.number(of: entity.name).map { ($0, entity.name) } },
      uniquingKeysWith: { first, _ in first })
    for (table, counts) in layout.contents.rowCounts.sorted(by: { $0.key < $1.key }) {
      for (number, count) in counts.sorted(by: { $0.key < $1.key })
      where known[number].map({ layout.table(of: $0) }) != table {
        report.note("not copied: \(Self.rows(count)) of '\(table)' with the unknown entity number \(number)")
      }
    }
    for table in layout.contents.internalTables where table.rows > 0 {
      report.note("not copied: \(Self.rows(table.rows)) of '\(table.name)' (history or synchronization data)")
    }
  }

  private static func rows(_ count: Int64) -> String { "\(count) \(count == 1 ? "row" : "rows")" }
}

extension ValueType {
  fileprivate var isOptional: Bool {
    if case .optional = self { true } else { false }
  }
}
