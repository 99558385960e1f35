import SchemaDiagnostics
import SchemaSyntax

/// The Swift types that a schema's properties use.
final class SwiftNames {
  private let types: SwiftTypes
  /// The types that enclose the schema's models.
  private let scope: [String]
  /// For each model outside `scope`, the types that enclose it.
  private let homes: [String: [String]]
  /// Enums used by properties.
  private(set) var enums: [ResolvedEnum] = []
  /// Types used by properties that generated code declares `Sendable`.
  private(set) var unsendable: [ResolvedSchema.SwiftType] = []
  /// Edits to the names that a schema file uses, for property types with a different name there.
  private(set) var spellings: [TextEdit] = []

  init(_ types: SwiftTypes, in scope: [String], _ homes: [String: [String]]) {
    self.types = types
    self.scope = scope
    self.homes = homes
  }

  /// Returns the names of the enclosing types, followed by the model's own.
  func scopes(of model: String) -> [String] {
    let parts = model.parts(separatedBy: ".")
    return (parts.first.flatMap { homes[$0] } ?? scope) + parts
  }

  /// Returns the meaning of a name, or `nil` for a type from a different module.
  func meaning(of parts: [String], in scopes: [String]) -> SwiftTypes.Meaning? { types.meaning(of: parts, in: scopes) }

  /// Returns a static member of a type, or `nil` for a type from a different module.
  func staticMember(_ member: String, of name: [String], in scopes: [String]) -> SwiftTypes.StaticMember? {
    types.staticMember(member, of: name, in: scopes)
  }

  /// Returns a type's name in the schema, and the types that enclose this name.
  func name(_ path: [String]) -> (name: String, home: [String]) {
    if let place = path.indices.last(where: { homes[path[$0]] == Array(path[..<$0]) }) {
      return (path[place...].joined(separator: "."), Array(path[..<place]))
    }
    let isInside = path.starts(with: scope)
    return (path.dropFirst(isInside ? scope.count : 0).joined(separator: "."), isInside ? scope : [])
  }

  /// Returns the case names of an enum used by a property, or `nil` for any other type.
  func cases(of name: String) -> Set<String>? { enums.first { $0.name == name }.map { Set($0.cases.map(\.name)) } }

  /// True if no declaration of the type states a conformance.
  func isBare(_ path: [String]) -> Bool { types.isBare(path) }

  /// True if other files cannot name the type.
  func isHidden(_ path: [String]) -> Bool { types.isHidden(path) }

  func spell(_ text: String, at range: SourceRange) { spellings.append(TextEdit(range, text)) }

  /// Records the use of a type in a model.
  func use(_ path: [String], in source: CarriedSource) {
    let type = ResolvedSchema.SwiftType(path: path, file: source.file)
    if types.isUnsendable(path), !unsendable.contains(where: { $0.path == path }) { unsendable.append(type) }
  }

  /// Adds an enum to the schema. Returns `nil` if the enum cannot be read or a different type has the same name.
  func add(_ found: SwiftTypes.RawEnum, usedIn source: CarriedSource, _ names: SchemaNames) -> ReferencedType? {
    let (name, home) = name(found.path)
    if let known = enums.first(where: { $0.name == name }) {
      return known.swift?.home == home ? .enumeration(name) : nil
    }
    guard names.types[name] == nil,
      let type = EnumReader.read(found, as: name, in: home, file: source.file, names)
    else { return nil }
    enums.append(type)
    names.rawTypes.insert(name)
    return .enumeration(name)
  }
}
