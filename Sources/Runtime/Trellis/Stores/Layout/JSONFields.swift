/// The types of the values in the JSON of an attribute with declared types, as the schema compiler says it: the type, then
/// the fields of each struct and enum inside of it. A field with a type of which nothing is known has `_`.
///
///     Array<Leg>;Leg(at=Date picture=_ stop=Optional<Stop>);Stop(name=String)
struct JSONFields {
  private let root: JSONTypeName
  private let types: [Substring: [Substring: JSONTypeName]]

  init?(_ text: String?) {
    guard let entries = text?.split(separator: ";"), let first = entries.first else { return nil }
    root = JSONTypeName(String(first))
    var types: [Substring: [Substring: JSONTypeName]] = [:]
    for entry in entries.dropFirst() {
      guard let open = entry.firstIndex(of: "("), entry.last == ")" else { continue }
      types[entry[..<open]] = [:]
      let list: Substring = entry[entry.index(after: open)...].dropLast()
      let fields: [Substring] = list.split(separator: " ")
      for field in fields {
        guard let end = field.firstIndex(of: "=") else { continue }
        types[entry[..<open], default: [:]][field[..<end]] = JSONTypeName(String(field[field.index(after: end)...]))
      }
    }
    self.types = types
  }

  /// A collection of standard types.
  private init?(collection attribute: Schema.Attribute?) {
    guard let attribute else { return nil }
    let type = JSONTypeName(attribute.type.unqualified).required
    guard type.isKnown, !type.isScalar else { return nil }
    (root, types) = (type, [:])
  }

  /// The values of an attribute for which the types of today read other values than were written.
  static func mistaken(
    _ old: Schema.Attribute?, _ new: Schema.Attribute?, _ title: String
  ) -> [(title: String, before: ValueForm, after: ValueForm)] {
    // A type is recorded only if it contains declared types.
    let (before, after) = (JSONFields(old?.jsonFields), JSONFields(new?.jsonFields))
    guard before != nil || after != nil, let before = before ?? JSONFields(collection: old),
      let after = after ?? JSONFields(collection: new)
    else { return [] }
    return before.mistaken(for: after, title)
  }

  /// The values of an attribute that the types of today do not read, so that the next save leaves them out.
  static func lost(_ old: Schema.Attribute, _ new: Schema.Attribute, _ title: String) -> [String] {
    guard let before = JSONFields(old.jsonFields), let after = JSONFields(new.jsonFields) else { return [] }
    return before.differences(from: after, title).lost
  }

  /// The values that change, and their types.
  func mistaken(for other: Self, _ title: String) -> [(title: String, before: ValueForm, after: ValueForm)] {
    differences(from: other, title).mistaken
  }

  private func differences(
    from other: Self, _ title: String
  ) -> (mistaken: [(title: String, before: ValueForm, after: ValueForm)], lost: [String]) {
    var found: [(title: String, before: ValueForm, after: ValueForm)] = []
    var lost: [String] = []
    var seen: Set<String> = []
    func note(_ old: JSONTypeName, _ new: JSONTypeName, _ title: String) {
      let (old, new) = (ValueTypeName(named: old.text), ValueTypeName(named: new.text))
      found.append((title, ValueForm(jsonOf: old), ValueForm(jsonOf: new)))
    }
    func compare(_ old: JSONTypeName, _ new: JSONTypeName, _ title: String) {
      let (old, new) = (old.required, new.required)
      let (before, after) = (types[old.text[...]], other.types[new.text[...]])
      if let before, let after {
        guard seen.insert("\(old.text) \(new.text)").inserted else { return }
        for (key, type) in before.sorted(by: { $0.key < $1.key }) {
          if let same = after[key] {
            compare(type, same, "\(title).\(key)")
          } else if !key.isEmpty, after[""] == nil {
            lost.append("\(title).\(key)")
          }
        }
      } else if let before, new.isObject {
        for (key, type) in before.sorted(by: { $0.key < $1.key }) {
          compare(type, new.arguments[1], "\(title).\(key)")
        }
      } else if after != nil, old.isObject {
        // Other keys of the dictionary would be lost.
        note(old, new, title)
      } else if old.isArrayOfPairs && new.isList || old.hasOtherBounds(than: new) {
        note(old, new, title)
      } else if !old.arguments.isEmpty, old.arguments.count == new.arguments.count {
        for (old, new) in zip(old.arguments, new.arguments) { compare(old, new, title) }
      } else if before == nil, after == nil, old.isMistaken(for: new) {
        note(old, new, title)
      }
    }
    compare(root, other.root, title)
    return (found, lost)
  }
}
