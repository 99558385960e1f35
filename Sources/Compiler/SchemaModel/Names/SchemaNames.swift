import SchemaDiagnostics
import SchemaSyntax

/// The types that a schema declares.
///
/// A class, because all property readers share it. No names are declared once name lookup begins.
final class SchemaNames {
  enum Kind { case model, enumeration, structure }

  struct Entry {
    var kind: Kind
    var range: SourceRange
  }

  private(set) var types: [String: Entry] = [:]
  /// Nested types by the name of the outer type.
  private(set) var nested: [String: Set<String>] = [:]
  /// Case and static member names by enum.
  var enumMembers: [String: Set<String>] = [:]
  private var cases: [String: CaseNames] = [:]
  /// Enums and structs with raw values.
  var rawTypes: Set<String> = []
  /// Types declared in the target's Swift files.
  let swift: SwiftNames
  /// Types declared by the compilation's remaining schemas.
  let elsewhere: Set<String>
  /// The declared names in order, from which corrections of misspelled names are suggested.
  private(set) var candidates: [String] = []
  let suggestions = Suggestions()

  /// - Parameter homes: The enclosing types of each model outside the scope.
  init(
    elsewhere: Set<String>, swift: SwiftTypes = SwiftTypes(), in scope: [String] = [], homes: [String: [String]] = [:]
  ) {
    self.elsewhere = elsewhere
    self.swift = SwiftNames(swift, in: scope, homes)
  }

  /// Declares a name. Returns false if it is already taken.
  func declare(_ name: String, _ kind: Kind, _ range: SourceRange) -> Bool {
    guard types[name] == nil else { return false }
    types[name] = Entry(kind: kind, range: range)
    candidates.append(name)
    return true
  }

  func declare(nested name: String, in outer: String) {
    nested[outer, default: []].insert(name)
  }

  /// Declares an enum or struct inside a model, if the contents are known.
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

  /// Returns the declared or built-in name that an undeclared name probably misspells.
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

  /// True if a name, as written, belongs to a library and cannot be declared in a schema.
  static func belongsToLibrary(_ name: String) -> Bool {
    foundationTypes.contains(name) || name.contains { !$0.isLetter && !$0.isNumber && $0 != "_" }
  }

  private static let builtIn =
    ScalarType.allCases.map(\.rawValue) + [
      "TimeInterval", "Set", "Array", "Dictionary", "Optional",
    ]

  /// Scalar types by name, including aliases.
  static let scalars: [String: ScalarType] = Dictionary(
    firstOf: ScalarType.allCases.map { ($0.rawValue, $0) }
      + [("TimeInterval", .double), ("Float64", .double), ("Float32", .float)])

  /// Scalar types by their SQL and Java names, which an app is unlikely to declare.
  private static let otherLanguages: [String: ScalarType] = [
    "Boolean": .bool, "boolean": .bool, "Integer": .int, "integer": .int, "long": .int, "number": .double,
    "text": .string, "varchar": .string, "char": .character, "date": .date, "datetime": .date, "timestamp": .date,
    "blob": .data,
  ]

  /// Standard types whose names resemble a misspelled scalar.
  private static let foundationTypes = """
    CGFloat CGPoint CGRect CGSize CGVector Calendar DateComponents DateInterval Float16 Float80 IndexPath IndexSet \
    Int128 Locale Measurement Range Substring TimeZone UInt128 URLComponents URLRequest Any AnyObject Never Void Color \
    Image AttributedString ClosedRange
    """.words
}

/// The cases of an enum in order. Large enums also have a lookup set.
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
