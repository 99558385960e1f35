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
  /// What the Swift files of the target declare.
  private let swift: SwiftTypes
  /// The types around the models of this schema.
  private let scope: [String]
  /// The enums of Swift files that properties have.
  private(set) var swiftEnums: [ResolvedEnum] = []
  /// The types of Swift files that properties have and of which generated code says that they are `Sendable`.
  private(set) var unsendable: [ResolvedSchema.SwiftType] = []
  private(set) var spellings: [TextEdit] = []
  /// What the other schemas of the same compilation declare.
  let elsewhere: Set<String>
  /// Declared names in order, then the scalars: what a misspelt name may have meant.
  private(set) var candidates: [String] = []
  let suggestions = Suggestions()

  init(elsewhere: Set<String>, swift: SwiftTypes = SwiftTypes(), in scope: [String] = []) {
    self.elsewhere = elsewhere
    self.swift = swift
    self.scope = scope
  }

  /// The types around a model of a Swift file, and the model.
  func swiftScopes(of model: String) -> [String] { scope + model.parts(separatedBy: ".") }

  /// What a name in a Swift file stands for; nil for a type of another module.
  func swiftMeaning(of parts: [String], in scopes: [String]) -> SwiftTypes.Meaning? {
    swift.meaning(of: parts, in: scopes)
  }

  /// The name that a type of a Swift file has in the schema, and the types around that name.
  func swiftName(_ path: [String]) -> (name: String, home: [String]) {
    let isInside = path.starts(with: scope)
    return (path.dropFirst(isInside ? scope.count : 0).joined(separator: "."), isInside ? scope : [])
  }

  /// The cases of an enum of a Swift file; nil for another one.
  func casesOfSwiftEnum(_ name: String) -> Set<String>? {
    swiftEnums.first { $0.name == name }.map { Set($0.cases.map(\.name)) }
  }

  /// Notes how a schema file names a type.
  func spell(_ text: String, at range: SourceRange) { spellings.append(TextEdit(range, text)) }

  /// Notes the use of a type in a model.
  func use(_ path: [String], in source: CarriedSource) {
    let type = ResolvedSchema.SwiftType(path: path, file: source.file)
    if swift.isUnsendable(path), !unsendable.contains(where: { $0.path == path }) { unsendable.append(type) }
  }

  /// An enum of a Swift file; nil if it cannot be read.
  func add(_ found: SwiftTypes.RawEnum, usedIn source: CarriedSource) -> ReferencedType? {
    let (name, home) = swiftName(found.path)
    if let known = swiftEnums.first(where: { $0.name == name }) {
      return known.swift?.home == home ? .enumeration(name) : nil
    }
    guard types[name] == nil, let type = EnumReader.read(found, as: name, in: home, file: source.file, self) else {
      return nil
    }
    swiftEnums.append(type)
    rawTypes.insert(name)
    return .enumeration(name)
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

  /// The declared or built-in name that an undeclared name is probably a misspelling of.
  func nearest(to name: String) -> String? {
    guard !elsewhere.contains(name), !Self.foundationTypes.contains(name) else { return nil }
    if let known = suggestions.found[name] { return known }
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
    ScalarType.allCases.map { ($0.rawValue, $0) }
      + [("TimeInterval", .double), ("Float64", .double), ("Float32", .float)],
    uniquingKeysWith: { first, _ in first })

  /// Types of the standard libraries that look like a misspelt scalar and are none.
  private static let foundationTypes: Set<String> = [
    "CGFloat", "CGPoint", "CGRect", "CGSize", "CGVector", "Calendar", "DateComponents",
    "DateInterval", "Duration", "Float16", "Float80", "IndexPath", "IndexSet", "Int128", "Locale",
    "Measurement", "Range", "Substring", "TimeZone", "UInt128", "URLComponents", "URLRequest",
    "Any", "AnyObject", "Never", "Void", "Color", "Image", "AttributedString", "ClosedRange",
  ]
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
