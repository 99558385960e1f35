import SchemaDiagnostics
import SchemaSyntax

/// The types of Swift files that the properties of one schema use.
final class SwiftNames {
  private let types: SwiftTypes
  /// The types around the models of the schema.
  private let scope: [String]
  /// The types around each model that is somewhere else.
  private let homes: [String: [String]]
  /// The enums that properties have.
  private(set) var enums: [ResolvedEnum] = []
  /// The types that properties have and of which generated code says that they are `Sendable`.
  private(set) var unsendable: [ResolvedSchema.SwiftType] = []
  /// How a schema file names the types of properties that have another name there.
  private(set) var spellings: [TextEdit] = []

  init(_ types: SwiftTypes, in scope: [String], _ homes: [String: [String]]) {
    self.types = types
    self.scope = scope
    self.homes = homes
  }

  /// The types around a model, and the model.
  func scopes(of model: String) -> [String] {
    let parts = model.parts(separatedBy: ".")
    return (parts.first.flatMap { homes[$0] } ?? scope) + parts
  }

  /// What a name stands for; nil for a type of another module.
  func meaning(of parts: [String], in scopes: [String]) -> SwiftTypes.Meaning? { types.meaning(of: parts, in: scopes) }

  /// A static member of a type; nil for a type of another module.
  func staticMember(_ member: String, of name: [String], in scopes: [String]) -> SwiftTypes.StaticMember? {
    types.staticMember(member, of: name, in: scopes)
  }

  /// The name that a type has in the schema, and the types around that name.
  func name(_ path: [String]) -> (name: String, home: [String]) {
    if let place = path.indices.last(where: { homes[path[$0]] == Array(path[..<$0]) }) {
      return (path[place...].joined(separator: "."), Array(path[..<place]))
    }
    let isInside = path.starts(with: scope)
    return (path.dropFirst(isInside ? scope.count : 0).joined(separator: "."), isInside ? scope : [])
  }

  /// The cases of an enum that a property has; nil for another one.
  func cases(of name: String) -> Set<String>? { enums.first { $0.name == name }.map { Set($0.cases.map(\.name)) } }

  /// Whether no declaration of the type states a conformance.
  func isBare(_ path: [String]) -> Bool { types.isBare(path) }

  /// Whether other files cannot name the type.
  func isHidden(_ path: [String]) -> Bool { types.isHidden(path) }

  func spell(_ text: String, at range: SourceRange) { spellings.append(TextEdit(range, text)) }

  /// Notes the use of a type in a model.
  func use(_ path: [String], in source: CarriedSource) {
    let type = ResolvedSchema.SwiftType(path: path, file: source.file)
    if types.isUnsendable(path), !unsendable.contains(where: { $0.path == path }) { unsendable.append(type) }
  }

  /// The enum as a type of the schema; nil if it cannot be read, or its name is that of another type.
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
