import SchemaDiagnostics
import SchemaSyntax

/// The types one schema declares.
///
/// A class, which every reader of a property holds; it does not change any more once names are looked up.
final class SchemaNames {
  enum Kind { case model, enumeration, structure }

  struct Entry {
    var kind: Kind
    var range: SourceRange
  }

  private(set) var types: [String: Entry] = [:]
  /// Types declared inside another one, by the outer name.
  private(set) var nested: [String: Set<String>] = [:]
  /// The names of an enum's cases and static members.
  var enumMembers: [String: Set<String>] = [:]
  private var cases: [String: CaseNames] = [:]
  /// The enums and structs with raw values.
  var rawTypes: Set<String> = []
  /// The types of the target's Swift files.
  let swift: SwiftNames
  /// What the other schemas of the same compilation declare.
  let elsewhere: Set<String>
  /// Declared names in order, then the scalars: what a misspelt name may have meant.
  private(set) var candidates: [String] = []
  let suggestions = Suggestions()

  /// - Parameter homes: the types around each model that is not in the scope.
  init(
    elsewhere: Set<String>, swift: SwiftTypes = SwiftTypes(), in scope: [String] = [], homes: [String: [String]] = [:]
  ) {
    self.elsewhere = elsewhere
    self.swift = SwiftNames(swift, in: scope, homes)
  }

  /// False when the name is taken.
  func declare(_ name: String, _ kind: Kind, _ range: SourceRange) -> Bool {
    guard types[name] == nil else { return false }
    types[name] = Entry(kind: kind, range: range)
    candidates.append(name)
    return true
  }

  func declare(nested name: String, in outer: String) {
    nested[outer, default: []].insert(name)
  }

  /// An enum or struct inside a model whose shape is known.
  func declare(nested name: String, in outer: String, _ kind: Kind, _ range: SourceRange) {
    declare(nested: name, in: outer)
    types["\(outer).\(name)"] = Entry(kind: kind, range: range)
  }

  func declare(case name: String, of enumeration: String) {
    cases[enumeration, default: CaseNames()].append(name)
  }

  func isCase(_ name: String, of enumeration: String) -> Bool { cases[enumeration]?.contains(name) ?? false }

  func cases(of enumeration: String) -> [String] { cases[enumeration]?.names ?? [] }

  func isModel(_ name: String) -> Bool { types[name]?.kind == .model }

  var modelNames: [String] { candidates.filter { isModel($0) } }

  func nearestModel(to name: String) -> String? { suggestions.nearest(to: name, in: modelNames) }

  /// The declared or built-in name that an undeclared name is probably a misspelling of.
  func nearest(to name: String) -> String? {
    guard !elsewhere.contains(name), !Self.foundationTypes.contains(name) else { return nil }
    if let known = suggestions.found[name] { return known }
    if let scalar = Self.otherLanguages[name] { return scalar.rawValue }
    guard suggestions.isOpen else { return nil }
    let nearest =
      suggestions.nearest(to: name, in: candidates) ?? NearestName.find(name, in: Self.builtIn)
    suggestions.found[name] = .some(nearest)
    return nearest
  }

  /// Whether a name, as written, cannot be declared in a schema because a library has it.
  static func belongsToLibrary(_ name: String) -> Bool {
    foundationTypes.contains(name) || name.contains { !$0.isLetter && !$0.isNumber && $0 != "_" }
  }

  private static let builtIn =
    ScalarType.allCases.map(\.rawValue) + [
      "TimeInterval", "Set", "Array", "Dictionary", "Optional",
    ]

  /// The scalars by all of their names.
  static let scalars: [String: ScalarType] = Dictionary(
    firstOf: ScalarType.allCases.map { ($0.rawValue, $0) }
      + [("TimeInterval", .double), ("Float64", .double), ("Float32", .float)])

  /// The scalars by SQL and Java names that a program is unlikely to declare.
  private static let otherLanguages: [String: ScalarType] = [
    "Boolean": .bool, "boolean": .bool, "Integer": .int, "integer": .int, "long": .int, "number": .double,
    "text": .string, "varchar": .string, "char": .character, "date": .date, "datetime": .date, "timestamp": .date,
    "blob": .data,
  ]

  /// Types of the standard libraries that look like a misspelt scalar and are none.
  private static let foundationTypes = """
    CGFloat CGPoint CGRect CGSize CGVector Calendar DateComponents DateInterval Float16 Float80 IndexPath IndexSet \
    Int128 Locale Measurement Range Substring TimeZone UInt128 URLComponents URLRequest Any AnyObject Never Void Color \
    Image AttributedString ClosedRange
    """.words
}

/// The cases of one enum in their order; those of a large one are looked up.
private struct CaseNames {
  private(set) var names: [String] = []
  private var known: Set<String> = []

  mutating func append(_ name: String) {
    names.append(name)
    if names.count == 17 { known = Set(names) }
    if names.count > 17 { known.insert(name) }
  }

  func contains(_ name: String) -> Bool {
    names.count > 16 ? known.contains(name) : names.contains(name)
  }
}
