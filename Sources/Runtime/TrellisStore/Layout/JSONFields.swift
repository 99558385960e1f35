import SchemaFacts

/// The types of the values in a JSON attribute. The schema compiler records them if the app declares any of them.
///
/// The text lists the attribute's type, then the fields of each nested struct and enum. `_` marks a field whose type
/// is unknown.
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

  /// Creates the fields for a collection of standard types.
  private init?(collection attribute: Schema.Attribute?) {
    guard let attribute else { return nil }
    let type = JSONTypeName(attribute.type.unqualified).required
    guard type.isCollection else { return nil }
    (root, types) = (type, [:])
  }

  typealias Mistake = (title: String, before: ValueForm, after: ValueForm)

  /// Returns the attribute's values that the current types would misread, and the values that they ignore, which
  /// the next save drops.
  static func changes(
    from old: Schema.Attribute?, to new: Schema.Attribute?, _ title: String
  ) -> (mistaken: [Mistake], lost: [String]) {
    // Types are recorded only if they contain declared types.
    let (before, after) = (JSONFields(old?.jsonFields), JSONFields(new?.jsonFields))
    guard before != nil || after != nil, let former = before ?? JSONFields(collection: old),
      let current = after ?? JSONFields(collection: new)
    else { return ([], []) }
    let changes = former.changes(to: current, title)
    return (changes.mistaken, before != nil && after != nil ? changes.lost : [])
  }

  func changes(to other: Self, _ title: String) -> (mistaken: [Mistake], lost: [String]) {
    var found: [Mistake] = []
    var lost: [String] = []
    var seen: Set<String> = []
    func record(_ old: JSONTypeName, _ new: JSONTypeName, _ title: String) {
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
      } else if after != nil && old.isObject || old.isArrayOfPairs && new.isList || old.hasOtherBounds(than: new) {
        // If a dictionary becomes a struct, unmatched keys would be lost.
        record(old, new, title)
      } else if !old.arguments.isEmpty, old.arguments.count == new.arguments.count {
        for (old, new) in zip(old.arguments, new.arguments) { compare(old, new, title) }
      } else if before == nil, after == nil, old.isMistaken(for: new) {
        record(old, new, title)
      }
    }
    compare(root, other.root, title)
    return (found, lost)
  }
}

/// A parsed type name such as `Dictionary<String, Array<Int>>`, used to compare types stored as JSON.
struct JSONTypeName {
  private let name: String
  let arguments: [JSONTypeName]

  /// The nesting depth below which type arguments are not parsed.
  private static let maximumDepth = 32

  /// - Parameter depth: The number of enclosing types.
  init(_ text: String, depth: Int = 0) {
    guard depth < Self.maximumDepth, let open = text.firstIndex(of: "<"), text.last == ">" else {
      (name, arguments) = (text, [])
      return
    }
    name = String(text[..<open])
    var (parts, level) = ([""], 0)
    for character in text[text.index(after: open)...].dropLast() {
      switch character {
      case "<": level += 1
      case ">": level -= 1
      case "," where level == 0:
        parts.append("")
        continue
      default: break
      }
      if character != " " || level > 0 { parts[parts.count - 1].append(character) }
    }
    arguments = parts.map { JSONTypeName($0, depth: depth + 1) }
  }

  var isScalar: Bool { arguments.isEmpty && StandardValues.type(named: name) != nil }

  /// Standard library containers and type argument counts. An app may declare types with the same names.
  private static let containers = ["Array": 1, "Set": 1, "Dictionary": 2, "ClosedRange": 1, "Range": 1, "Optional": 1]

  private var isContainer: Bool { Self.containers[name] == arguments.count }

  /// True for standard types and collections of standard types.
  var isKnown: Bool { isScalar || isContainer && arguments.allSatisfy(\.isKnown) }

  /// True for a standard collection of standard values.
  var isCollection: Bool { isKnown && !isScalar }

  /// Returns true if this type's JSON decodes as the other type with the same values. For two declared types, only the
  /// names and type arguments are compared.
  func isReadable(as other: JSONTypeName) -> Bool {
    if isContainer, name == "Optional" {
      guard other.isContainer, other.name == "Optional" else { return false }
      return arguments[0].isReadable(as: other.arguments[0])
    }
    if other.isContainer, other.name == "Optional" { return isReadable(as: other.arguments[0]) }
    guard isScalar || isContainer || other.isScalar || other.isContainer else {
      return name != other.name || !isMistaken(for: other)
    }
    guard isContainer, other.isContainer else {
      guard isScalar, other.isScalar, let scalar = ScalarType(rawValue: name),
        let other = ScalarType(rawValue: other.name)
      else { return false }
      return scalar.fitsInJSON(into: other)
    }
    switch (name, other.name) {
    case ("Dictionary", "Dictionary"):
      let (key, otherKey) = (arguments[0], other.arguments[0])
      let hasSameKeys = key.isKnown || otherKey.isKnown ? key.text == otherKey.text : true
      return hasSameKeys && arguments[1].isReadable(as: other.arguments[1])
    case ("Set", "Array"): return arguments[0].text == other.arguments[0].text
    case (let one, let other) where one != other: return false
    // Distinct set elements could become equal.
    case ("Set", _) where arguments[0].isKnown: return arguments[0].text == other.arguments[0].text
    default: return zip(arguments, other.arguments).allSatisfy { $0.isReadable(as: $1) }
    }
  }

  /// The type with `Optional` removed.
  var required: JSONTypeName { isContainer && name == "Optional" ? arguments[0].required : self }

  /// Returns true if this type's JSON may decode as the other type with a different meaning: dates are numbers in
  /// JSON, and data is text.
  func isMistaken(for other: JSONTypeName) -> Bool {
    let (old, new) = (required, other.required)
    guard old.arguments.count == new.arguments.count else { return false }
    if !old.arguments.isEmpty { return zip(old.arguments, new.arguments).contains { $0.isMistaken(for: $1) } }
    func are(_ one: String, _ others: Set<String>) -> Bool {
      old.name == one && others.contains(new.name) || new.name == one && others.contains(old.name)
    }
    return are("Date", Self.numbers) || are("Data", ["String", "Character", "URL"])
  }

  private static let numbers = Set(
    ScalarType.allCases.filter { $0.traits.number != nil }.map(\.rawValue) + ["CGFloat"])

  /// True for a dictionary encoded as a JSON object.
  var isObject: Bool { isContainer && name == "Dictionary" && ["String", "Int"].contains(arguments[0].text) }

  /// True for a dictionary encoded as a JSON array of alternating keys and values.
  var isArrayOfPairs: Bool { isContainer && name == "Dictionary" && !isObject }

  /// Returns true if either type is a range and the other is not the same kind of range. JSON encodes both kinds of
  /// ranges as an array of bounds.
  func hasOtherBounds(than other: JSONTypeName) -> Bool {
    let ranges = ["ClosedRange", "Range"]
    return isContainer && other.isContainer && name != other.name
      && (ranges.contains(name) || ranges.contains(other.name))
  }

  /// True for an array or a set.
  var isList: Bool { isContainer && ["Array", "Set"].contains(name) }

  var text: String {
    arguments.isEmpty ? name : "\(name)<\(arguments.map(\.text).joined(separator: ", "))>"
  }
}
