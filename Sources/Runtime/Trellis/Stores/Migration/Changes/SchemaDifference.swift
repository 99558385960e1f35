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
