/// Attribute differences that table definitions do not show: the column is kept, and stored values change their meaning.
enum ValueDifference {
  /// Attributes with values that would be misread or lost unless a migration step converts them.
  static func obstacles(from stored: Schema, to schema: Schema) -> [String] {
    var obstacles: [String] = []
    for (title, former, attribute) in attributes(of: stored, schema) {
      let changes = CodedForm.changes(from: former.codedForm, to: attribute.codedForm)
      if !changes.isEmpty { obstacles.append(text(of: title, changes)) }
      obstacles += lostMembers(former, attribute, title)
      if !(former is Schema.CompositeAttribute) {
        obstacles += JSONFields.lost(former, attribute, title).map { Self.isGone($0) }
      }
    }
    return obstacles
      + unreadable(from: stored, to: schema).map { $0.text + ", whose values are kept in another form" }
  }

  /// Attributes and struct properties whose current types misread stored values.
  static func unreadable(from stored: Schema, to schema: Schema) -> [(title: String, text: String)] {
    attributes(of: stored, schema).flatMap { title, former, attribute in
      let own = forms(former, attribute, title).filter { !$0.before.isReadable(as: $0.after) }
      return own.isEmpty ? JSONFields.mistaken(former, attribute, title) : own
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

  /// The stored forms of an attribute's column and nested properties, or of each flattened column.
  private static func forms(
    _ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String
  ) -> [(title: String, before: ValueForm, after: ValueForm)] {
    let isFlattened = new.options.contains(.flattened) && old.options.contains(.flattened)
    let whole = [(title: title, before: ValueForm(old), after: ValueForm(new))]
    guard let before = old as? Schema.CompositeAttribute, let after = new as? Schema.CompositeAttribute,
      !old.isTransformable, !new.isTransformable
    else { return whole }
    // Handwritten coding code determines a struct's JSON, and the properties do not.
    let codes = [old, new].contains { CodedForm($0.codedForm).contains($0.structName) }
    let parts = after.properties.flatMap { part -> [(title: String, before: ValueForm, after: ValueForm)] in
      guard !codes || isFlattened, let former = before.properties.first(where: { $0.name == part.name }) else {
        return []
      }
      if isFlattened { return forms(former, part, "\(title).\(part.name)") }
      return jsonForms(former, part, "\(title).\(part.name)")
    }
    return isFlattened ? parts : whole + parts
  }

  private static func jsonForms(
    _ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String
  ) -> [(title: String, before: ValueForm, after: ValueForm)] {
    let own = [(title: title, before: ValueForm(jsonOf: old.type), after: ValueForm(jsonOf: new.type))]
    guard let before = old as? Schema.CompositeAttribute, let after = new as? Schema.CompositeAttribute else {
      return own
    }
    return own
      + after.properties.flatMap { part in
        before.properties.first { $0.name == part.name }.map { jsonForms($0, part, "\(title).\(part.name)") } ?? []
      }
  }

  static func text(of title: String, _ types: [String]) -> String {
    "the text of '\(title)' is coded in another way (\(types.map { "'\($0)'" }.joined(separator: ", "))): "
      + "a stage of a migration plan has to fill it"
  }

  private static func isGone(_ title: String) -> String {
    "'\(title)' is no longer in the schema, and its values would be lost from the text"
  }

  /// Removed struct properties: the next save omits their values.
  private static func lostMembers(
    _ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String
  ) -> [String] {
    guard let before = old as? Schema.CompositeAttribute, let after = new as? Schema.CompositeAttribute,
      !new.isTransformable, !new.options.contains(.flattened), !old.options.contains(.flattened)
    else { return [] }
    let forms = [CodedForm(old.codedForm), CodedForm(new.codedForm)]
    var obstacles: [String] = []
    func compare(_ old: Schema.CompositeAttribute, _ new: Schema.CompositeAttribute, _ title: String) {
      // The coded form already covers structs with handwritten coding code.
      let isOwn = forms.allSatisfy { !$0.contains(old.structName) && !$0.contains(new.structName) }
      for part in old.properties {
        let same = new.properties.first { $0.name == part.name }
        if same == nil, isOwn {
          obstacles.append(isGone("\(title).\(part.name)"))
        }
        if let part = part as? Schema.CompositeAttribute, let same = same as? Schema.CompositeAttribute {
          compare(part, same, "\(title).\(part.name)")
        }
      }
    }
    compare(before, after, title)
    return obstacles
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
