/// How two schemas differ, in words.
package enum SchemaDifference {
  package static func text(from old: Schema, to new: Schema) -> [String] {
    var lines: [String] = []
    for entity in new.entities {
      guard let before = old.entitiesByName[entity.name] else {
        lines.append("model '\(entity.name)' is in the store only")
        continue
      }
      lines += text(from: before, to: entity)
    }
    for entity in old.entities where new.entitiesByName[entity.name] == nil {
      lines.append("model '\(entity.name)' is not in the store")
    }
    let unreadable = ValueDifference.unreadable(from: new, to: old).filter { title, _ in
      !lines.contains { $0.hasPrefix("'\(title)' ") }
    }
    return lines + unreadable.map(\.text)
  }

  private static func text(from old: Schema.Entity, to new: Schema.Entity) -> [String] {
    var lines: [String] = []
    for property in new.storedProperties {
      let title = "'\(new.name).\(property.name)'"
      guard let before = old.storedPropertiesByName[property.name] else {
        lines.append("\(title) is in the store only")
        continue
      }
      let (was, now) = (kind(before), kind(property))
      if was != now { lines.append("\(title) is \(now) in the store and \(was) in the plan") }
      let forms = CodedForm.differences(
        before.asAttribute?.codedForm, property.asAttribute?.codedForm)
      if !forms.isEmpty {
        let types = forms.map { "'\($0)'" }.joined(separator: ", ")
        lines.append("the text of \(title) is coded in another way in the store (\(types))")
      }
    }
    for property in old.storedProperties where new.storedPropertiesByName[property.name] == nil {
      lines.append("'\(old.name).\(property.name)' is not in the store")
    }
    if old.superentityName != new.superentityName {
      lines.append(
        "'\(new.name)' inherits from \(new.superentityName ?? "no model") in the store")
    }
    if Set(old.uniquenessConstraints) != Set(new.uniquenessConstraints) {
      lines.append("'\(new.name)' has other unique constraints")
    }
    if Set(old.indices) != Set(new.indices) { lines.append("'\(new.name)' has other indexes") }
    return lines
  }

  /// Everything of a property that makes two of one name differ.
  private static func kind(_ property: any SchemaProperty) -> String {
    if let attribute = property.asAttribute {
      let options = attribute.options.filter { $0 != .unique }.map(\.debugDescription)
      var text = attribute.type.unqualified
      if !options.isEmpty { text += " [\(options.joined(separator: ", "))]" }
      if let modifier = attribute.hashModifier { text += " with hash modifier '\(modifier)'" }
      return text
    }
    guard let relationship = property.asRelationship else { return "a property" }
    var text = relationship.isToMany ? "[\(relationship.destination)]" : relationship.destination
    if relationship.isOptional { text += "?" }
    text += " (delete rule \(relationship.deleteRule.rawValue)"
    if let inverse = relationship.inverseName { text += ", inverse '\(inverse)'" }
    let (least, most) = (relationship.minimumModelCount ?? 0, relationship.maximumModelCount ?? 0)
    if least > 0 { text += ", at least \(least)" }
    if most > 0 { text += ", at most \(most)" }
    for option in relationship.options { text += ", \(option.debugDescription)" }
    return text + ")"
  }
}

/// Attribute differences that table definitions do not show: the column is kept, and stored values change their meaning.
enum ValueDifference {
  /// Attributes with values that would be misread or lost unless a migration step converts them.
  static func obstacles(from stored: Schema, to schema: Schema) -> [String] {
    var obstacles: [String] = []
    for (title, former, attribute) in attributes(of: stored, schema) {
      let changes = CodedForm.changes(from: former.codedForm, to: attribute.codedForm)
      if !changes.isEmpty { obstacles.append(text(of: title, changes)) }
      let lost =
        former is Schema.CompositeAttribute
        ? parts(former, attribute, title).lost : JSONFields.changes(from: former, to: attribute, title).lost
      obstacles += lost.map { "'\($0)' is no longer in the schema, and its values would be lost from the text" }
    }
    return obstacles
      + unreadable(from: stored, to: schema).map { $0.text + ", whose values are kept in another form" }
  }

  /// Attributes and struct properties whose current types misread stored values.
  static func unreadable(from stored: Schema, to schema: Schema) -> [(title: String, text: String)] {
    attributes(of: stored, schema).flatMap { title, former, attribute in
      let own = parts(former, attribute, title).forms.filter { !$0.before.isReadable(as: $0.after) }
      return own.isEmpty ? JSONFields.changes(from: former, to: attribute, title).mistaken : own
    }.map { ($0.title, "'\($0.title)' was \($0.before.description) and is \($0.after.description)") }
  }

  /// Attributes in both schemas, by their names in the second schema.
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

  /// The stored forms of an attribute's column and nested properties, or of each flattened column, and the struct properties
  /// that are removed, so that the next save omits their values.
  private static func parts(
    _ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String
  ) -> (forms: [JSONFields.Mistake], lost: [String]) {
    let coded = [CodedForm(old.codedForm), CodedForm(new.codedForm)]
    let flattened = [old, new].map { $0.options.contains(.flattened) }
    let isFlattened = flattened == [true, true]
    var forms: [JSONFields.Mistake] = isFlattened ? [] : [(title, ValueForm(old), ValueForm(new))]
    var lost: [String] = []
    func compare(_ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String, hasColumns: Bool) {
      guard let old = old as? Schema.CompositeAttribute, let new = new as? Schema.CompositeAttribute else { return }
      // Handwritten coding code determines a struct's JSON, and the properties do not.
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
    return (forms, lost)
  }

  static func text(of title: String, _ types: [String]) -> String {
    "the text of '\(title)' is coded in another way (\(types.map { "'\($0)'" }.joined(separator: ", "))): "
      + "a stage of a migration plan has to fill it"
  }
}

extension Schema.Attribute {
  /// `Money`, also for `Money?`.
  fileprivate var structName: Substring {
    let name = type.unqualified
    let prefix = "Optional<"
    return name.hasPrefix(prefix) ? name.dropFirst(prefix.count).dropLast() : name[...]
  }
}
