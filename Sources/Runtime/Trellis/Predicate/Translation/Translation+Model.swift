import Foundation

/// Properties of rows: columns, references to other rows, lists of rows.
extension Translation {
  mutating func property(
    _ keyPath: AnyKeyPath, of model: ModelTerm, type: any Any.Type
  ) throws -> SQLTerm {
    let definition = model.entity.definition
    guard
      let property = definition.layout.property(for: keyPath)
        ?? ModelPaths.of(definition.modelType).ownIdentifier(keyPath, definition)
    else {
      if let place = definition.layout.member(for: keyPath) {
        let column = try column(place.property, of: model.entity)
        var term = value(
          of: column, column.members[place.index], place.member.type, of: model)
        term.isOptional = Swift.type(of: keyPath).valueType is any OptionalValue.Type
        return .scalar(term)
      }
      guard ModelPaths.of(definition.modelType).isIdentifier(keyPath) else {
        throw Untranslatable(
          "\(definition.entityName): \(keyPath) is not stored under this key path")
      }
      return .scalar(
        ScalarTerm(
          sql: model.key, scalar: model.identifier, isOptional: model.isOptional,
          nilSource: model.nilSource))
    }
    switch property.kind {
    case .attribute(let type): return .scalar(try attribute(property, type, of: model))
    case .toOne: return .model(try reference(property, of: model))
    case .toMany: return .list(try list(property, of: model))
    }
  }

  private func attribute(
    _ property: ModelProperty, _ type: any Any.Type, of model: ModelTerm
  ) throws -> ScalarTerm {
    let column = try column(property, of: model.entity)
    if property.attribute?.options.contains(.unknown(.default)) == true {
      throw Untranslatable("\(property.name) may hold a value that reads as its default")
    }
    var scalar = ScalarKind.of(type) ?? .opaque
    if !scalar.fits(column.type) || property.isRecoded { scalar = .opaque }
    var term = value(inColumn: column.name, scalar, isUnique: property.isUnique, of: model)
    term.isOptional = property.isOptional
    if scalar == .opaque, !property.isRecoded, column.type.affinity == .text {
      term.elements = ArrayElements.of(type)
    }
    if !column.members.isEmpty { term.flattened = .init(model: model, column: column) }
    return term
  }

  /// A property of a flattened struct.
  func value(
    of column: ColumnLayout, _ member: MemberLayout, _ type: any Any.Type, of model: ModelTerm
  ) -> ScalarTerm {
    var scalar = ScalarKind.of(type) ?? .opaque
    if !scalar.fits(member.type) { scalar = .opaque }
    var term = value(inColumn: member.name, scalar, isUnique: false, of: model)
    term.isOptional = member.type.isOptional
    return term
  }

  private func value(
    inColumn name: String, _ scalar: ScalarKind, isUnique: Bool, of model: ModelTerm
  ) -> ScalarTerm {
    var term = ScalarTerm(sql: "", scalar: scalar, nilSource: model.nilSource)
    if let alias = model.alias {
      term.sql = "\(column: name, of: alias)"
      term.origin = .column
    } else {
      term.sql = valueBehind(model, column: name)
      term.origin = .behind(
        .init(
          key: model.key, isOptional: model.isOptional || model.nilSource != nil,
          entity: model.entity, column: name, isUnique: isUnique))
    }
    if scalar.isText {
      term.isIrregular = marks.mayHoldNonNFC(model.entity.table, name)
    } else if scalar.isNumberThatMayBeNaN {
      term.isIrregular = marks.mayHoldNaN(model.entity.table, name)
    }
    return term
  }

  private func reference(
    _ property: ModelProperty, of model: ModelTerm
  ) throws -> ModelTerm {
    let column = try column(property, of: model.entity)
    guard let name = column.destination, let destination = layout.entity(named: name) else {
      throw Untranslatable("\(model.entity.name).\(property.name) leads to another store")
    }
    let key: SQLFragment =
      if let alias = model.alias {
        "\(column: column.name, of: alias)"
      } else {
        valueBehind(model, column: column.name)
      }
    return ModelTerm(
      entity: destination, key: key, isOptional: property.isOptional, nilSource: model.nilSource)
  }

  private mutating func list(_ property: ModelProperty, of model: ModelTerm) throws -> ListTerm {
    guard property.slot < model.entity.lists.count else { throw missing(property, model.entity) }
    let list = model.entity.lists[property.slot]
    guard let destination = layout.entity(named: list.destination) else {
      throw Untranslatable("\(model.entity.name).\(property.name) leads to another store")
    }
    let alias = alias()
    switch list.kind {
    case .foreignKey(let column):
      return ListTerm(
        entity: destination, alias: alias,
        from: "\(name: destination.table) AS \(name: alias)",
        conditions: ["\(column: column, of: alias) = \(model.key)"])
    case .join(let table, let owner, let member, _):
      let pairs = self.alias()
      return ListTerm(
        entity: destination, alias: alias,
        from: """
          \(name: table) AS \(name: pairs) JOIN \(name: destination.table) AS \(name: alias) \
          ON \(column: destination.keyColumn, of: alias) = \(column: member, of: pairs)
          """,
        conditions: ["\(column: owner, of: pairs) = \(model.key)"])
    }
  }

  private func column(_ property: ModelProperty, of entity: EntityLayout) throws -> ColumnLayout {
    guard property.slot >= 0, property.slot < entity.columns.count else {
      throw missing(property, entity)
    }
    return entity.columns[property.slot]
  }

  private func missing(_ property: ModelProperty, _ entity: EntityLayout) -> Untranslatable {
    Untranslatable("\(entity.name).\(property.name) is not stored")
  }

  /// A column of the row a reference leads to; NULL when it leads nowhere.
  ///
  /// The alias is the same at every depth: inside, nothing refers to an outer row by it.
  func valueBehind(_ model: ModelTerm, column: String) -> SQLFragment {
    """
    (SELECT \(column: column, of: "r") FROM \(name: model.entity.table) AS "r" \
    WHERE \(column: model.entity.keyColumn, of: "r") = \(model.key))
    """
  }
}

extension ModelProperty {
  package var isUnique: Bool { attribute?.options.contains(.unique) == true }

  /// Whether an option has the column hold something that stands for the value.
  package var isRecoded: Bool {
    guard let options = attribute?.options, !options.isEmpty else { return false }
    let recoding: Set = ["externalStorage", "transformable", "codable", "json", "flattened"]
    return options.contains { recoding.contains($0.keyword) }
  }
}
