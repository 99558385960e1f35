/// What keeps texts of a store from being read as they were written.
enum TextDifference {
  /// - Parameter comparesForms: whether the store says how its texts are coded, or must have been written
  ///   otherwise.
  static func obstacles(from stored: Schema, to schema: Schema, comparesForms: Bool) -> [String] {
    var obstacles: [String] = []
    for entity in schema.entities {
      guard let old = stored.entitiesByName[entity.name] ?? stored.entitiesByName[entity.originalName]
      else { continue }
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        guard let former = former(attribute, in: old) else { continue }
        let title = "\(entity.name).\(attribute.name)"
        let changes = CodedForm.changes(from: former.codedForm, to: attribute.codedForm)
        if comparesForms, !changes.isEmpty { obstacles.append(text(of: title, changes)) }
        obstacles += departures(former, attribute, title)
      }
    }
    return obstacles
  }

  static func text(of title: String, _ types: [String]) -> String {
    "the text of '\(title)' is coded in another way (\(types.map { "'\($0)'" }.joined(separator: ", "))): "
      + "a stage of a migration plan has to fill it"
  }

  /// The attribute as it was; two may have exchanged their names.
  private static func former(_ attribute: Schema.Attribute, in old: Schema.Entity) -> Schema.Attribute? {
    let same = old.storedPropertiesByName[attribute.name]?.asAttribute
    let original = old.storedPropertiesByName[attribute.originalName]?.asAttribute
    if let same, same.originalName == attribute.originalName { return same }
    return original ?? same
  }

  /// The properties of structs that are no longer there: a text is written without them.
  private static func departures(
    _ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String
  ) -> [String] {
    guard let before = old as? Schema.CompositeAttribute, let after = new as? Schema.CompositeAttribute,
      !new.isTransformable, !new.options.contains(.flattened), !old.options.contains(.flattened)
    else { return [] }
    let forms = [CodedForm(old.codedForm), CodedForm(new.codedForm)]
    var obstacles: [String] = []
    func compare(_ old: Schema.CompositeAttribute, _ new: Schema.CompositeAttribute, _ title: String) {
      // Of what names itself otherwise the form has told.
      let isOwn = forms.allSatisfy { !$0.contains(old.structName) && !$0.contains(new.structName) }
      for part in old.properties {
        let same = new.properties.first { $0.name == part.name }
        if same == nil, isOwn {
          obstacles.append(
            "'\(title).\(part.name)' is no longer in the schema, and its values would be lost from the text")
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
  /// `Money`, also of an optional one.
  fileprivate var structName: Substring {
    let name = type.unqualified
    let prefix = "Optional<"
    return name.hasPrefix(prefix) ? name.dropFirst(prefix.count).dropLast() : name[...]
  }
}
