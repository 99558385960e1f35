import Foundation
import SchemaImport
import StoreCare

/// Chooses models, properties and relationships for a database's tables.
struct DraftBuilder {
  private let database: ForeignDatabase
  private let schema: String
  private(set) var models: [DraftModel] = []
  private(set) var enums: [DraftEnum] = []
  private(set) var joins: [DraftJoin] = []
  private(set) var notes: [TransferNote] = []
  private var typeNames: NamePool
  /// Property names by model.
  private var memberNames: [NamePool] = []
  private var places: [String: Int] = [:]

  init(_ database: ForeignDatabase, name: String) {
    self.database = database
    schema = name
    typeNames = NamePool(reserved: NamePool.types(name))
  }

  mutating func build() {
    for object in database.skipped {
      // Frameworks recreate bookkeeping tables.
      let kind: TransferNote.Kind = object.kind == "table" ? .check : .notCarried
      notes.append(TransferNote(kind, object.name, "\(object.kind) is skipped: \(object.reason)"))
    }
    notes += database.notes
    let pairs = database.tables.filter { isJoin($0) }
    let entities = database.tables.filter { table in !pairs.contains { $0.name == table.name } }
    let singular = Dictionary(grouping: entities) { SwiftName.type($0.name).lowercased() }
    for table in entities {
      // Tables such as `news` and `new` keep the table name, because the singular names would clash.
      let wanted = SwiftName.type(table.name)
      let isShared = (singular[wanted.lowercased()]?.count ?? 0) > 1
      let plain = SwiftName.plainType(table.name)
      let name = typeNames.claim(isShared ? plain : wanted, plain, wanted + "Record")
      places[table.name] = models.count
      models.append(DraftModel(name: name, table: table))
      memberNames.append(NamePool(reserved: NamePool.members))
      for remark in table.remarks { notes.append(TransferNote(.notCarried, table.name, remark)) }
    }
    for index in models.indices { addReferences(index) }
    for index in models.indices { addAttributes(index) }
    for index in models.indices { addInverses(of: index) }
    for table in pairs { addJoin(table) }
    for index in models.indices { addConstraints(index) }
  }

  // MARK: join tables

  /// True for a table that contains only two references and, optionally, an unused key.
  private func isJoin(_ table: ForeignTable) -> Bool {
    let keys = table.foreignKeys
    guard keys.count == 2, keys.allSatisfy({ $0.columns.count == 1 && isReference($0, of: table) }),
      keys[0].columns != keys[1].columns,
      !database.tables.contains(where: { $0.foreignKeys.contains { $0.table == table.name } })
    else { return false }
    let references = keys.flatMap(\.columns)
    // Pairs must be distinct and complete, and neither side may be limited to a single pair.
    guard table.hasDistinctPairs || table.isUnique(references), !references.contains(where: { table.isUnique([$0]) }),
      references.allSatisfy({ isFilled($0, of: table) })
    else { return false }
    let others = table.columns.filter { !references.contains($0.name) }
    guard !others.isEmpty else { return true }
    return others.count == 1 && table.primaryKey == [others[0].name] && [.integer, .uuid].contains(others[0].type)
  }

  /// True if a foreign key refers to unique columns of an imported table.
  private func isReference(_ key: ForeignKey, of table: ForeignTable) -> Bool {
    guard let parent = database.table(named: key.table), !key.targets.isEmpty, key.targets.count == key.columns.count,
      parent.isUnique(key.targets), key.targets.allSatisfy({ parent.column(named: $0) != nil })
    else { return false }
    return key.columns.allSatisfy { table.column(named: $0) != nil }
  }

  private mutating func addJoin(_ table: ForeignTable) {
    let (owner, member) = (table.foreignKeys[0], table.foreignKeys[1])
    guard let first = places[owner.table], let second = places[member.table] else { return }
    func list(_ key: ForeignKey, _ destination: Int) -> String {
      let name = SwiftName.reference(key.columns[0])
      return SwiftName.plural(
        name == SwiftName.member(key.columns[0]) ? SwiftName.lowered(models[destination].name) : name)
    }
    var join = DraftJoin(table: table, owner: owner, member: member)
    let tableName = SwiftName.member(table.name)
    join.ownerModel = models[first].name
    join.ownerList = memberNames[first].claim(list(member, second), tableName)
    let inverse = memberNames[second].claim(list(owner, first), tableName)
    models[first].properties.append(
      DraftProperty(
        name: join.ownerList, columns: [], kind: .members(join: joins.count, isOwner: true), isOptional: false,
        destination: models[second].name, inverse: "\(models[second].name).\(inverse)"))
    models[second].properties.append(
      DraftProperty(
        name: inverse, columns: [], kind: .members(join: joins.count, isOwner: false), isOptional: false,
        destination: models[first].name))
    for column in table.columns where !owner.columns.contains(column.name) && !member.columns.contains(column.name) {
      notes.append(
        TransferNote(
          .notCarried, "\(table.name).\(column.name)",
          "the pairs' own keys are not kept: the table becomes '\(join.ownerModel).\(join.ownerList)'"))
    }
    joins.append(join)
  }

  // MARK: references

  private mutating func addReferences(_ index: Int) {
    let table = models[index].table
    var used: Set<String> = []
    for key in table.foreignKeys {
      let subject = "\(table.name).\(key.columns.joined(separator: ", "))"
      guard isReference(key, of: table), let parent = places[key.table] else {
        notes.append(
          TransferNote(
            .notCarried, subject, "the foreign key to '\(key.table)' leads to no unique columns of an imported table"))
        continue
      }
      guard used.isDisjoint(with: key.columns) else {
        notes.append(TransferNote(.notCarried, subject, "a second foreign key of the same column to '\(key.table)'"))
        continue
      }
      if key.columns.count == 1 { used.formUnion(key.columns) }
      let isOptional = key.columns.contains { name in
        let column = table.column(named: name)
        return !(column?.isRequired ?? false) && !isKey(name, of: table)
      }
      let destination = models[parent].name
      let wanted = key.columns.count == 1 ? SwiftName.reference(key.columns[0]) : SwiftName.lowered(destination)
      let name = memberNames[index].claim(wanted, wanted + "Reference")
      models[index].properties.append(
        DraftProperty(
          name: name, columns: key.columns, kind: .reference(key), isOptional: isOptional, destination: destination))
    }
  }

  /// True if a column contains no NULL.
  private func isFilled(_ name: String, of table: ForeignTable) -> Bool {
    guard let column = table.column(named: name) else { return false }
    return column.isRequired || column.values.total == table.rowCount && column.values.nulls == 0
  }

  /// True for a primary key column that contains no NULL.
  private func isKey(_ column: String, of table: ForeignTable) -> Bool {
    table.primaryKey.contains(column) && (table.column(named: column)?.values.nulls ?? 0) == 0
  }

  /// Adds the inverse of each reference.
  private mutating func addInverses(of index: Int) {
    let (table, child) = (models[index].table, models[index].name)
    for property in models[index].properties.indices {
      guard case .reference(let key) = models[index].properties[property].kind, let parent = places[key.table]
      else { continue }
      let name = models[index].properties[property].name
      let isList = !table.isUnique(key.columns)
      let isAlone = table.foreignKeys.count { $0.table == key.table } == 1 && parent != index
      let base = isList ? SwiftName.list(child) : SwiftName.lowered(child)
      let specific = "\(base)By\(SwiftName.capitalized(name))"
      let isParent = name.lowercased().hasPrefix("parent") && parent == index && isList
      let inverse =
        isParent
        ? memberNames[parent].claim("children", specific)
        : isAlone ? memberNames[parent].claim(base, specific) : memberNames[parent].claim(specific)
      var rule = Self.deleteRule(key.onDelete)
      let isCleared = rule == "nullify" && models[index].properties[property].isOptional
      // SQLite rejects clearing a required reference.
      if rule == "nullify", !isCleared { rule = "deny" }
      models[parent].properties.append(
        DraftProperty(
          name: inverse, columns: [],
          kind: .inverse(of: key, from: table.name, isList: isList, deleteRule: rule),
          isOptional: !isList, destination: child, inverse: "\(child).\(name)"))
      if key.onDelete == .setDefault || key.onDelete == .setNull && !isCleared {
        notes.append(
          TransferNote(
            .check, "\(table.name).\(key.columns.joined(separator: ", "))",
            "ON DELETE \(key.onDelete.rawValue) becomes '.\(rule)', "
              + (isCleared ? "which clears the reference" : "because the reference must have a value")))
      }
    }
  }

  private static func deleteRule(_ action: ForeignKey.Action) -> String {
    switch action {
    case .cascade: "cascade"
    case .setNull, .setDefault: "nullify"
    case .restrict, .noAction: "deny"
    }
  }

  // MARK: attributes

  private mutating func addAttributes(_ index: Int) {
    let table = models[index].table
    let references = Set(
      models[index].properties.filter { $0.columns.count == 1 }.flatMap(\.columns))
    var attributes: [DraftProperty] = []
    for column in table.columns where !references.contains(column.name) {
      if case .column(let key) = table.numbering, key == column.name { continue }
      note(column, of: table)
      let name = memberNames[index].claim(SwiftName.member(column.name))
      let isUnique = table.uniques.contains([column.name]) || table.primaryKey == [column.name]
      let isRequired = column.isRequired || isKey(column.name, of: table)
      let type = typeName(of: column, model: models[index].name, property: name)
      let value = defaultValue(of: column, type, "\(table.name).\(column.name)")
      attributes.append(
        DraftProperty(
          name: name, columns: [column.name], kind: .attribute(type: type, isUnique: isUnique, defaultValue: value),
          isOptional: !isRequired))
    }
    models[index].properties.insert(contentsOf: attributes, at: 0)
  }

  private mutating func typeName(of column: ForeignColumn, model: String, property: String) -> String {
    typeName(column.type, column.enumName, model, property)
  }

  private mutating func typeName(
    _ type: ForeignType, _ enumName: String?, _ model: String, _ property: String
  ) -> String {
    switch type {
    case .exact(let name): return name
    case .list(let element): return "[\(typeName(element, enumName, model, property))]"
    case .integer: return "Int"
    case .boolean: return "Bool"
    case .real: return "Double"
    case .text: return "String"
    case .data: return "Data"
    case .decimal: return "Decimal"
    case .uuid: return "UUID"
    case .date: return "Date"
    case .choice(let texts):
      return addEnum(enumName, model, property, "String", texts.map { ($0, CoreDataSpelling.literal($0)) })
    case .choiceOfIntegers(let numbers):
      return addEnum(enumName, model, property, "Int", numbers.map { ($0 < 0 ? "minus\(-$0)" : "value\($0)", "\($0)") })
    }
  }

  private mutating func addEnum(
    _ origin: String?, _ model: String, _ property: String, _ rawType: String,
    _ values: [(name: String, value: String)]
  ) -> String {
    if let origin, let known = enums.first(where: { $0.origin == origin }) { return known.name }
    let wanted = origin.map(SwiftName.plainType) ?? model + SwiftName.capitalized(property)
    let name = typeNames.claim(wanted, wanted + "Choice")
    var names = NamePool(reserved: NamePool.cases)
    let cases = values.map { (name: names.claim(SwiftName.member($0.name)), value: $0.value) }
    enums.append(DraftEnum(name: name, rawType: rawType, origin: origin, cases: cases))
    return name
  }

  /// Reports mixed values, proposed dates and further remarks on a column.
  private mutating func note(_ column: ForeignColumn, of table: ForeignTable) {
    let subject = "\(table.name).\(column.name)"
    let counts = column.values
    if counts.classes > 1, !isMixAccepted(column) {
      notes.append(
        TransferNote(
          .check, subject,
          "contains \(counts.text), for example \(counts.examples.joined(separator: " and ")); "
            + (column.isTypeLost ? "the property does not have the declared type \(column.declaredType); " : "")
            + "values that do not fit the type are rejected"))
    } else if counts.classes == 1, column.isTypeLost {
      notes.append(
        TransferNote(
          .check, subject,
          "contains \(counts.text), for example \(counts.examples[0]); the property therefore has not the declared type "
            + column.declaredType))
    }
    if counts.invalidTexts > 0 {
      notes.append(
        TransferNote(.check, subject, "contains \(counted(counts.invalidTexts, "text")) with invalid UTF-8"))
    }
    if column.isGenerated {
      notes.append(TransferNote(.check, subject, "is generated in the database; here it is an ordinary value"))
    }
    if column.type == .decimal, counts.reals > 0 {
      notes.append(
        TransferNote(
          .check, subject,
          "contains \(counted(counts.reals, "decimal")) stored in binary; each is read as the shortest decimal number"))
    }
    if column.type == .boolean, !column.declaredType.uppercased().contains("BOOL") {
      notes.append(
        TransferNote(.check, subject, "contains only 0 and 1 and becomes a 'Bool' because of its name or type"))
    }
    if case .date(let form) = column.type {
      if form == .iso, counts.roundedDates > 0 {
        notes.append(
          TransferNote(
            .check, subject,
            "contains \(counted(counts.roundedDates, "date")) finer than microseconds, rounded when read"))
      }
      return
    }
    guard let first = column.dateForms.first else { return }
    let option = column.dateForms.map { "'--dates \(subject)=\($0.rawValue)'" }.joined(separator: " or ")
    let hint = column.dateForms.count > 1 ? "the values fit several forms" : "looks like \(first.text)"
    notes.append(TransferNote(.date, subject, "\(hint): accept with \(option)"))
  }

  private func isMixAccepted(_ column: ForeignColumn) -> Bool {
    let counts = column.values
    switch column.type {
    case .real: return counts.texts == 0 && counts.blobs == 0
    case .decimal: return true
    default: return false
    }
  }

  // MARK: defaults and constraints

  private mutating func defaultValue(of column: ForeignColumn, _ type: String, _ subject: String) -> String? {
    guard let text = column.defaultValue, !column.isGenerated else { return nil }
    let tokens = SQLTokens.read(text).filter { $0 != .symbol("(") && $0 != .symbol(")") }
    if tokens.count == 1, tokens[0].isWord("NULL") { return nil }
    if let value = literal(tokens, column, type) { return value }
    notes.append(TransferNote(.notCarried, subject, "the default \(text) is not carried over"))
    return nil
  }

  private func literal(_ tokens: [SQLTokens.Token], _ column: ForeignColumn, _ type: String) -> String? {
    var number: String?
    var string: String?
    if tokens.count == 1 {
      switch tokens[0] {
      case .number(let text): number = text
      case .text(let text), .name(let text): string = text
      case .word(let word):
        let word = word.uppercased()
        if word == "TRUE" || word == "FALSE" { number = word == "TRUE" ? "1" : "0" }
        if word.hasPrefix("CURRENT_"), case .date = column.type { return ".now" }
      case .symbol: return nil
      }
    } else if tokens.count == 2, tokens[0] == .symbol("-"), case .number(let text) = tokens[1] {
      number = "-" + text
    }
    if number == nil, let string, Double(string) != nil, column.type != .text { number = string }
    switch column.type {
    case .integer: return number.flatMap { Int64($0) }.map { "\($0)" }
    case .boolean:
      let flag = number ?? string?.lowercased()
      return flag == "1" || flag == "true" ? "true" : flag == "0" || flag == "false" ? "false" : nil
    case .real: return number.flatMap { Double($0) }.flatMap { $0.isFinite ? "\($0)" : nil }
    case .decimal: return number.flatMap { Int64($0) }.map { "\($0)" }
    case .text: return (string ?? number).map { CoreDataSpelling.literal($0) }
    case .choice, .choiceOfIntegers:
      let value = string.map { CoreDataSpelling.literal($0) } ?? number
      let found = enums.first { $0.name == type }?.cases.first { $0.value == value }
      return found.map { "." + (CoreDataSpelling.name($0.name) ?? $0.name) }
    case .exact("Float"): return number.flatMap { Float($0) }.flatMap { $0.isFinite ? "\($0)" : nil }
    case .exact: return number.flatMap { Int64($0) }.map { "\($0)" }
    case .list: return string == "{}" ? "[]" : nil
    case .uuid: return tokens.count == 1 && tokens[0].isWord("GEN_RANDOM_UUID") ? "UUID()" : nil
    case .data, .date: return nil
    }
  }

  private mutating func addConstraints(_ index: Int) {
    let model = models[index]
    func names(_ columns: [String]) -> [String]? {
      let names = columns.compactMap { model.property(of: $0)?.name }
      return names.count == columns.count ? names : nil
    }
    var uniques: [[String]] = []
    let keys = model.table.primaryKey.count > 1 ? [model.table.primaryKey] : []
    for columns in keys + model.table.uniques {
      if case .column(let key) = model.table.numbering, columns.contains(key) { continue }
      guard let names = names(columns), !uniques.contains(names) else { continue }
      let isReference = columns.count == 1 && !isAttribute(names[0], of: model)
      // Attributes include single-column constraints, and a unique reference becomes a one-to-one relationship.
      if columns.count == 1 || isReference { continue }
      uniques.append(names)
    }
    var indexes: [[String]] = []
    for columns in model.table.indexes {
      guard let names = names(columns), !indexes.contains(names), !uniques.contains(names) else { continue }
      // References and unique attributes are already indexed.
      if names.count == 1, !isAttribute(names[0], of: model) || model.table.isUnique(columns) { continue }
      indexes.append(names)
    }
    models[index].uniques = uniques
    models[index].indexes = indexes
  }

  private func isAttribute(_ name: String, of model: DraftModel) -> Bool {
    model.properties.contains { property in
      if case .attribute = property.kind { property.name == name } else { false }
    }
  }
}

extension ForeignColumn {
  /// True if the values do not permit the more specific declared type.
  fileprivate var isTypeLost: Bool {
    switch type {
    case .integer, .real, .text, .data:
      ["BOOL", "DECIMAL", "NUMERIC", "MONEY", "CURRENCY", "UUID", "GUID"].contains {
        declaredType.uppercased().contains($0)
      }
    default: false
    }
  }
}

extension DateForm {
  /// For messages: `looks like …`.
  package var text: String {
    switch self {
    case .iso: "dates in ISO 8601 text"
    case .unix: "seconds since 1970"
    case .milliseconds: "milliseconds since 1970"
    case .julian: "Julian days"
    case .since2001: "seconds since 2001"
    }
  }
}
