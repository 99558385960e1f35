/// The name of a type whose values are JSON, in its parts: `Dictionary<String, Array<Int>>`.
struct JSONTypeName {
  private let name: String
  private let arguments: [JSONTypeName]

  init(_ text: String) {
    guard let open = text.firstIndex(of: "<"), text.last == ">" else {
      (name, arguments) = (text, [])
      return
    }
    name = String(text[..<open])
    var (parts, depth) = ([""], 0)
    for character in text[text.index(after: open)...].dropLast() {
      switch character {
      case "<": depth += 1
      case ">": depth -= 1
      case "," where depth == 0:
        parts.append("")
        continue
      default: break
      }
      if character != " " || depth > 0 { parts[parts.count - 1].append(character) }
    }
    arguments = parts.map { JSONTypeName($0) }
  }

  var isScalar: Bool { arguments.isEmpty && StandardValues.type(named: name) != nil }

  private static let containers: Set<String> = ["Array", "Set", "Dictionary", "ClosedRange", "Range", "Optional"]

  private var isContainer: Bool { !arguments.isEmpty && Self.containers.contains(name) }

  /// True for standard types and collections of them.
  var isKnown: Bool { isScalar || isContainer && arguments.allSatisfy(\.isKnown) }

  /// Whether JSON of this type is JSON of the other one, with the same values.
  ///
  /// Of declared types only the names are known here: whether their JSON can be read shows when it is read.
  func isReadable(as other: JSONTypeName) -> Bool {
    if name == "Optional" { return other.name == "Optional" && arguments[0].isReadable(as: other.arguments[0]) }
    if other.name == "Optional", let wrapped = other.arguments.first { return isReadable(as: wrapped) }
    guard isScalar || isContainer, other.isScalar || other.isContainer else { return true }
    guard isContainer, other.isContainer else {
      return !isContainer && !other.isContainer && ValueConversion.isReadable(name, as: other.name)
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

  /// True for an array or a set that becomes an array, with elements of one type.
  func isList(withElementsOf other: JSONTypeName) -> Bool {
    ["Array", "Set"].contains(name) && other.name == "Array" && arguments.map(\.text) == other.arguments.map(\.text)
  }

  var text: String {
    arguments.isEmpty ? name : "\(name)<\(arguments.map(\.text).joined(separator: ", "))>"
  }
}
