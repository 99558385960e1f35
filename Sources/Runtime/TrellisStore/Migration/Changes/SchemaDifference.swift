/// A textual description of the differences between two schemas.
enum SchemaDifference {
  /// - Parameters:
  ///   - old: A schema from the plan.
  ///   - new: The store's schema.
  static func text(from old: Schema, to new: Schema) -> [String] {
    lines(of: new, besides: old, "is in the store only") + lines(of: old, besides: new, "is not in the store")
      + ValueDifference.obstacles(from: new, to: old)
  }

  private static func lines(of schema: Schema, besides other: Schema, _ difference: String) -> [String] {
    schema.entities.flatMap { entity -> [String] in
      guard let same = other.entitiesByName[entity.name] else { return ["model '\(entity.name)' \(difference)"] }
      let known = Set(descriptions(of: same))
      return descriptions(of: entity).filter { !known.contains($0) }.map { "\($0) \(difference)" }
    }
  }

  /// Describes all characteristics that can differ between models with the same name.
  private static func descriptions(of entity: Schema.Entity) -> [String] {
    let superentity = entity.superentityName.map { ["the superclass '\($0)' of '\(entity.name)'"] } ?? []
    return superentity + entity.storedProperties.map { "'\(entity.name).\($0.name)' (\(description(of: $0)))" }
      + entity.uniquenessConstraints.map { "the unique constraint of '\(entity.name)' on \($0)" }
      + entity.indices.map { "the index of '\(entity.name)' on \($0)" }
  }

  private static func description(of property: any SchemaProperty) -> String {
    if let attribute = property.asAttribute {
      let options = attribute.options.filter { $0 != .unique }.map(\.debugDescription)
      let modifier = attribute.hashModifier.map { ["hash modifier '\($0)'"] } ?? []
      return ([attribute.type.unqualified] + options + modifier).joined(separator: ", ")
    }
    guard let relationship = property.asRelationship else { return "a property" }
    var parts = [relationship.isToMany ? "[\(relationship.destination)]" : relationship.destination]
    if relationship.isOptional { parts[0] += "?" }
    parts.append("delete rule \(relationship.deleteRule.rawValue)")
    if let inverse = relationship.inverseName { parts.append("inverse '\(inverse)'") }
    let (least, most) = (relationship.minimumModelCount ?? 0, relationship.maximumModelCount ?? 0)
    if least > 0 { parts.append("at least \(least)") }
    if most > 0 { parts.append("at most \(most)") }
    return (parts + relationship.options.map(\.debugDescription)).joined(separator: ", ")
  }
}

/// Attribute differences that table definitions do not show: the column is kept, but stored values change their
/// meaning.
enum ValueDifference {
  /// Attributes with values that would be misread or lost unless a migration step converts them.
  static func obstacles(from stored: Schema, to schema: Schema) -> [String] {
    var obstacles: [String] = []
    for (title, former, attribute) in attributes(of: stored, schema) {
      let types = CodedForm.changes(from: former.codedForm, to: attribute.codedForm).map { "'\($0)'" }
      if !types.isEmpty {
        obstacles.append(
          "the text of '\(title)' is encoded differently (\(types.joined(separator: ", "))): a stage of a migration "
            + "plan must fill it")
      }
      obstacles += changes(from: former, to: attribute, title).lost.map {
        "'\($0)' is no longer in the schema, and the next save would remove its values from the stored text"
      }
    }
    return obstacles + unreadable(from: stored, to: schema).map { "\($0), whose values are kept in another form" }
  }

  /// Attributes and struct properties whose current types misread stored values.
  static func unreadable(from stored: Schema, to schema: Schema) -> [String] {
    attributes(of: stored, schema).flatMap { title, former, attribute in
      changes(from: former, to: attribute, title).mistaken
    }.map { "'\($0.title)' was \($0.before.description) and is now \($0.after.description)" }
  }

  /// Attributes in both schemas, by name in the second schema.
  private static func attributes(
    of stored: Schema, _ schema: Schema
  ) -> [(title: String, before: Schema.Attribute, after: Schema.Attribute)] {
    let origins = SchemaOrigins(stored, of: schema)
    return schema.entities.flatMap { entity in
      entity.storedProperties.compactMap(\.asAttribute).filter { !$0.isTransient }.compactMap { attribute in
        guard let former = origins.former(attribute.name, of: entity.name)?.asAttribute, !former.isTransient else {
          return nil
        }
        return ("\(entity.name).\(attribute.name)", former, attribute)
      }
    }
  }

  /// Returns the values that the current types misread, in the attribute, flattened columns or struct properties, and
  /// the removed properties, whose values the next save omits.
  private static func changes(
    from old: Schema.Attribute, to new: Schema.Attribute, _ title: String
  ) -> (mistaken: [JSONFields.Mistake], lost: [String]) {
    let coded = [CodedForm(old.codedForm), CodedForm(new.codedForm)]
    let flattened = [old, new].map { $0.options.contains(.flattened) }
    let isFlattened = flattened == [true, true]
    var forms: [JSONFields.Mistake] = isFlattened ? [] : [(title, ValueForm(old), ValueForm(new))]
    var lost: [String] = []
    func compare(_ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String, hasColumns: Bool) {
      guard let old = old as? Schema.CompositeAttribute, let new = new as? Schema.CompositeAttribute else { return }
      // Handwritten coding code determines a struct's JSON, regardless of the properties.
      let isCoded = !hasColumns && coded.contains { $0.contains(old.structName) || $0.contains(new.structName) }
      for part in old.properties {
        let name = "\(title).\(part.name)"
        guard let same = new.properties.first(where: { $0.name == part.name }) else {
          if !isCoded, flattened == [false, false] { lost.append(name) }
          continue
        }
        if hasColumns {
          forms.append((name, ValueForm(part), ValueForm(same)))
        } else if !isCoded {
          forms.append((name, ValueForm(jsonOf: part.type), ValueForm(jsonOf: same.type)))
        }
        compare(part, same, name, hasColumns: false)
      }
    }
    if !old.isTransformable, !new.isTransformable { compare(old, new, title, hasColumns: isFlattened) }
    let mistaken = forms.filter { !$0.before.isReadable(as: $0.after) }
    let fields = JSONFields.changes(from: old, to: new, title)
    return (mistaken.isEmpty ? fields.mistaken : mistaken, old is Schema.CompositeAttribute ? lost : fields.lost)
  }
}

extension Schema.Attribute {
  /// `Money` for both `Money` and `Money?`.
  fileprivate var structName: Substring {
    let name = type.unqualified
    let prefix = "Optional<"
    return name.hasPrefix(prefix) ? name.dropFirst(prefix.count).dropLast() : name[...]
  }
}
