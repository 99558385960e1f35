/// What values are in their columns, as text that outlives the types of a program.
enum ValueForm {
  /// Whether values of the one form, left as they are, are the same values of the other.
  ///
  /// Of types that a schema or a program declares nobody knows more here than their names: whether a
  /// value can be read is found out by reading it.
  static func isSame(_ old: String, _ new: String) -> Bool {
    if old == new { return true }
    let (before, after) = (old.split(separator: "/"), new.split(separator: "/"))
    guard before.count == after.count, !before.isEmpty else { return false }
    return zip(before, after).allSatisfy { isSamePart($0, $1) }
  }

  /// Parts of flattened structs begin with their names.
  private static func isSamePart(_ old: Substring, _ new: Substring) -> Bool {
    let (before, after) = (divided(old), divided(new))
    return before.name == after.name && isSameType(before.type, after.type)
  }

  private static func divided(_ part: Substring) -> (name: Substring, type: String) {
    guard let end = part.firstIndex(of: ":") else { return ("", String(part)) }
    return (part[..<end], String(part[part.index(after: end)...]))
  }

  private static func isSameType(_ old: String, _ new: String) -> Bool {
    let (before, after) = (required(old), required(new))
    guard before != after, isStandard(before), isStandard(after) else { return true }
    if case .same = ValueConversion.from(before, to: after) { return true }
    return false
  }

  private static func required(_ name: String) -> String { inside("Optional", name) ?? name }

  private static func isStandard(_ name: String) -> Bool {
    if let element = inside("Optional", name) ?? inside("Array", name) ?? inside("Set", name) {
      return isStandard(element)
    }
    return StandardValues.type(named: name) != nil
  }

  private static func inside(_ container: String, _ name: String) -> String? {
    guard name.hasPrefix("\(container)<"), name.hasSuffix(">") else { return nil }
    return String(name.dropFirst(container.utf8.count + 1).dropLast())
  }
}

extension ModelProperty {
  /// The form of an attribute's values: its type, or the parts of a flattened struct.
  var storedForm: String? {
    guard case .attribute(let type) = kind else { return nil }
    let parts = flattenedMembers
    guard !parts.isEmpty else { return ValueTypeName(type).unqualified }
    return parts.map { "\($0.name):\(ValueTypeName($0.type).unqualified)" }.joined(separator: "/")
  }
}
