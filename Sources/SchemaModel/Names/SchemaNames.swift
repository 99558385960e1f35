import SchemaDiagnostics
import SchemaSyntax

/// The types one schema declares.
struct SchemaNames {
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
  var enumCases: [String: [String]] = [:]
  /// The enums and structs with raw values.
  var rawTypes: Set<String> = []
  /// What the other schemas of the same compilation declare.
  let elsewhere: Set<String>
  /// Declared names in order, then the scalars: what a misspelt name may have meant.
  private(set) var candidates: [String] = []
  private let suggestions = Suggestions()

  init(elsewhere: Set<String>) { self.elsewhere = elsewhere }

  /// False when the name is taken.
  mutating func declare(_ name: String, _ kind: Kind, _ range: SourceRange) -> Bool {
    guard types[name] == nil else { return false }
    types[name] = Entry(kind: kind, range: range)
    candidates.append(name)
    return true
  }

  mutating func declare(nested name: String, in outer: String) {
    nested[outer, default: []].insert(name)
  }

  /// An enum or struct inside a model whose shape is known.
  mutating func declare(nested name: String, in outer: String, _ kind: Kind, _ range: SourceRange) {
    declare(nested: name, in: outer)
    types["\(outer).\(name)"] = Entry(kind: kind, range: range)
  }

  func isModel(_ name: String) -> Bool { types[name]?.kind == .model }

  var modelNames: [String] { candidates.filter { isModel($0) } }

  /// The declared or built-in name that a name nobody declared was probably meant to be.
  func nearest(to name: String) -> String? {
    guard !elsewhere.contains(name), !Self.foundationTypes.contains(name) else { return nil }
    if let known = suggestions.found[name] { return known }
    guard suggestions.comparisons < Suggestions.maximum else { return nil }
    suggestions.comparisons += candidates.count
    let nearest =
      NearestName.find(name, in: candidates) ?? NearestName.find(name, in: Self.builtIn)
    suggestions.found[name] = .some(nearest)
    return nearest
  }

  /// What names that nobody declared were held against the declared ones for. Where thousands are
  /// unknown the file is no schema, and the later ones get no suggestion.
  private final class Suggestions {
    static let maximum = 300_000
    var found: [String: String?] = [:]
    var comparisons = 0
  }

  /// Whether a name, as written, cannot be declared in a schema because a library has it.
  static func belongsToLibrary(_ name: String) -> Bool {
    foundationTypes.contains(name) || name.contains { !$0.isLetter && !$0.isNumber && $0 != "_" }
  }

  private static let builtIn =
    ScalarType.allCases.map(\.rawValue) + [
      "TimeInterval", "Set", "Array", "Dictionary", "Optional",
    ]

  /// Other names of the scalars.
  static let aliases: [String: ScalarType] = [
    "TimeInterval": .double, "Float64": .double, "Float32": .float,
  ]

  /// Types of the standard libraries that look like a misspelt scalar and are none.
  private static let foundationTypes: Set<String> = [
    "CGFloat", "CGPoint", "CGRect", "CGSize", "CGVector", "Calendar", "DateComponents",
    "DateInterval", "Duration", "Float16", "Float80", "IndexPath", "IndexSet", "Int128", "Locale",
    "Measurement", "Range", "Substring", "TimeZone", "UInt128", "URLComponents", "URLRequest",
    "Any", "AnyObject", "Never", "Void", "Color", "Image", "AttributedString", "ClosedRange",
  ]
}
