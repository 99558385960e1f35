import SchemaFacts

/// A parsed type name such as `Dictionary<String, Array<Int>>`, to compare types whose values are stored as JSON.
struct JSONTypeName {
  private let name: String
  let arguments: [JSONTypeName]

  /// Type arguments below this depth are not parsed.
  private static let maximumDepth = 32

  /// - Parameter depth: The number of types around this one.
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

  /// The containers of the standard library, and the numbers of their arguments. A program may declare others.
  private static let containers = ["Array": 1, "Set": 1, "Dictionary": 2, "ClosedRange": 1, "Range": 1, "Optional": 1]

  private var isContainer: Bool { Self.containers[name] == arguments.count }

  /// True for standard types and collections of them.
  var isKnown: Bool { isScalar || isContainer && arguments.allSatisfy(\.isKnown) }

  /// Whether JSON of this type is JSON of the other one, with the same values.
  ///
  /// Of two declared types, only the names and the types between angle brackets are known.
  func isReadable(as other: JSONTypeName) -> Bool {
    if isContainer, name == "Optional" {
      guard other.isContainer, other.name == "Optional" else { return false }
      return arguments[0].isReadable(as: other.arguments[0])
    }
    if other.isContainer, other.name == "Optional" { return isReadable(as: other.arguments[0]) }
    guard isScalar || isContainer, other.isScalar || other.isContainer else {
      return name != other.name || !isMistaken(for: other)
    }
    guard isContainer, other.isContainer else {
      guard let scalar = ScalarType(rawValue: name), let other = ScalarType(rawValue: other.name) else { return false }
      return scalar.fitsInJSON(into: other)
    }
    switch (name, other.name) {
    case ("Dictionary", "Dictionary"):
      let (key, otherKey) = (arguments[0], other.arguments[0])
      let hasSameKeys = key.isKnown || otherKey.isKnown ? key.text == otherKey.text : true
      return hasSameKeys && arguments[1].isReadable(as: other.arguments[1])
    case ("Set", "Array"): return arguments[0].text == other.arguments[0].text
    case (let one, let other) where one != other: return false
    // Two elements of a set could become one.
    case ("Set", _) where arguments[0].isKnown: return arguments[0].text == other.arguments[0].text
    default: return zip(arguments, other.arguments).allSatisfy { $0.isReadable(as: $1) }
    }
  }

  /// The type without `Optional`.
  var required: JSONTypeName { isContainer && name == "Optional" ? arguments[0].required : self }

  /// Whether JSON of this type may be decoded as the other type with another meaning: dates are numbers in JSON, and data is
  /// text.
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

  /// True for a dictionary that is a JSON object.
  var isObject: Bool { isContainer && name == "Dictionary" && ["String", "Int"].contains(arguments[0].text) }

  /// True for a dictionary that is a JSON array of keys and values in turn.
  var isArrayOfPairs: Bool { isContainer && name == "Dictionary" && !isObject }

  /// True if one of the types is a range and the other one is not such a range. JSON has an array of the bounds for both
  /// kinds of ranges.
  func hasOtherBounds(than other: JSONTypeName) -> Bool {
    let ranges = ["ClosedRange", "Range"]
    return isContainer && other.isContainer && name != other.name
      && (ranges.contains(name) || ranges.contains(other.name))
  }

  /// True for an array or a set.
  var isList: Bool { isContainer && ["Array", "Set"].contains(name) }

  /// True for an array or a set that becomes an array, with elements of one type.
  func isList(withElementsOf other: JSONTypeName) -> Bool {
    ["Array", "Set"].contains(name) && other.name == "Array" && arguments.map(\.text) == other.arguments.map(\.text)
  }

  var text: String {
    arguments.isEmpty ? name : "\(name)<\(arguments.map(\.text).joined(separator: ", "))>"
  }
}
