import SchemaDiagnostics
import SchemaSyntax

/// Resolves the names in a written type.
struct TypeResolver {
  let names: SchemaNames
  /// The type whose nested types can be named without qualification.
  let scope: String
  /// For a property of a model in a Swift file: the file and the types that enclose the property.
  var swift: (file: CarriedSource, scopes: [String])?
  /// True if an undeclared name that resembles a declared name is an error. False for properties whose options mark
  /// the type as declared elsewhere.
  var suggestsNames = true
  private(set) var diagnostics: [Diagnostic] = []
  private var depth = 0
  private static let maximumDepth = 32
  /// Types nested in every model, which hide the app's types in Swift files.
  static let generatedTypes: Set<String> = ["Snapshot", "Root"]

  init(names: SchemaNames, scope: String) {
    self.names = names
    self.scope = scope
  }

  /// Returns `nil` if the type is not valid, after reporting the problem.
  mutating func resolve(_ type: TypeSyntax) -> ReferencedType? {
    switch type.shape {
    case .named(let parts, let arguments):
      return named(parts, arguments, type)
    case .array(let element):
      return resolve(element).map { .array($0) }
    case .dictionary(let key, let value):
      guard let key = resolve(key), let value = resolve(value) else { return nil }
      return .dictionary(key, value)
    case .optional(let wrapped):
      return resolve(wrapped).map { optional($0, type) }
    case .other:
      return .unstorable(type.text)
    }
  }

  /// Resolves a name that has no generic arguments, as in the call `Date()`.
  mutating func resolve(name parts: [String], at range: SourceRange) -> ReferencedType? {
    lookUp(parts, at: range) { parts.joined(separator: ".") }
  }

  private mutating func named(
    _ parts: [String], _ arguments: [TypeSyntax], _ type: TypeSyntax
  ) -> ReferencedType? {
    let plain = parts.count == 2 && parts[0] == "Swift" ? [parts[1]] : parts
    guard !arguments.isEmpty else { return lookUp(parts, at: type.range) { type.text } }
    guard plain.count == 1 else { return generic(parts, type) }
    switch (plain[0], arguments.count) {
    case ("Optional", 1): return resolve(arguments[0]).map { optional($0, type) }
    case ("Array", 1): return resolve(arguments[0]).map { .array($0) }
    case ("Set", 1): return resolve(arguments[0]).map { .set($0) }
    case ("Dictionary", 2):
      guard let key = resolve(arguments[0]), let value = resolve(arguments[1]) else { return nil }
      return .dictionary(key, value)
    default:
      return generic(parts, type)
    }
  }

  private func generic(_ parts: [String], _ type: TypeSyntax) -> ReferencedType {
    guard let swift, case .other(let path)? = names.swift.meaning(of: parts, in: swift.scopes) else {
      return .opaque(type.text, isKnown: false)
    }
    // Generic arguments may precede the last name.
    return .opaque(spelled(path.dropLast(parts.count) + [type.text]), isKnown: true)
  }

  private mutating func optional(
    _ wrapped: ReferencedType, _ type: TypeSyntax
  ) -> ReferencedType {
    guard case .optional = wrapped else { return .optional(wrapped) }
    diagnostics.append(.doubleOptional(type))
    return wrapped
  }

  private mutating func lookUp(
    _ parts: [String], at range: SourceRange, written: () -> String
  ) -> ReferencedType? {
    if parts.count == 2, let scalar = Self.scalar(parts[1]),
      parts[0] == scalar.module || parts[0] == "Foundation"
    {
      return .scalar(scalar)
    }
    if swift != nil, parts.count == 1, Self.generatedTypes.contains(parts[0]) {
      diagnostics.append(.generatedType(parts[0], range))
      return nil
    }
    if let swift, let meaning = names.swift.meaning(of: parts, in: swift.scopes) {
      let type = type(meaning, in: swift.file, at: range)
      if depth == 0, let type, type.spelling != parts.joined(separator: ".") {
        names.swift.spell(type.spelling, at: range)
      }
      return type
    }
    guard parts.count == 1, let name = parts.first else {
      if let type = declared(parts.joined(separator: ".")) { return type }
      // A nested type such as `Trip.Status` may be known by name only.
      let isKnown = parts.count == 2 && (names.nested[parts[0]]?.contains(parts[1]) ?? false)
      return .opaque(written(), isKnown: isKnown)
    }
    var outer = names.nested.isEmpty ? "" : scope[...]
    while !outer.isEmpty {
      let scope = String(outer)
      if names.nested[scope]?.contains(name) ?? false {
        return declared("\(scope).\(name)") ?? .opaque("\(scope).\(name)", isKnown: true)
      }
      outer = outer.utf8.lastIndex(of: UInt8(ascii: ".")).map { outer[..<$0] } ?? ""
    }
    if let type = declared(name) { return type }
    if let scalar = Self.scalar(name) { return .scalar(scalar) }
    if name == "Any" || name == "AnyObject" || name == "Self" || name == "Void" {
      return .unstorable(name)
    }
    if suggestsNames, let nearest = names.nearest(to: name) {
      diagnostics.append(.unknownType(name, nearest, range))
      return nil
    }
    return .opaque(written(), isKnown: false)
  }

  /// Returns the type that a name in a Swift file refers to.
  private mutating func type(
    _ meaning: SwiftTypes.Meaning, in file: CarriedSource, at range: SourceRange
  ) -> ReferencedType? {
    switch meaning {
    case .rawEnum(let type):
      names.swift.use(type.path, in: file)
      if let known = names.swift.add(type, usedIn: file, names) { return known }
      names.rawTypes.insert(spelled(type.path))
      return .opaque(spelled(type.path), isKnown: true)
    case .other(let path):
      if names.swift.isHidden(path) {
        diagnostics.append(.hiddenType(path.joined(separator: "."), range))
        return nil
      }
      if names.swift.isBare(path) {
        diagnostics.append(.notCodable(path.joined(separator: "."), range))
        return nil
      }
      names.swift.use(path, in: file)
      return .opaque(spelled(path), isKnown: true)
    case .model(let path):
      let (name, _) = names.swift.name(path)
      if names.isModel(name) { return .model(name) }
      diagnostics.append(.modelOfOtherSchema(path.joined(separator: "."), range))
      return nil
    case .alias(let target, let scopes):
      depth += 1
      defer { depth -= 1 }
      guard depth < Self.maximumDepth else { return .opaque(target.text, isKnown: true) }
      let outer = swift
      swift?.scopes = scopes
      let count = diagnostics.count
      defer {
        swift = outer
        // The alias may be in a different file, but the error is reported here.
        for index in diagnostics.indices.dropFirst(count) {
          let problem = diagnostics[index]
          diagnostics[index] = Diagnostic(problem.id, at: range, problem.message, help: problem.help)
        }
      }
      return resolve(target)
    }
  }

  /// Returns the spelling of a nested type in generated code.
  private func spelled(_ path: [String]) -> String { path.joined(separator: ".") }

  private func declared(_ name: String) -> ReferencedType? {
    switch names.types[name]?.kind {
    case .model: .model(name)
    case .enumeration: .enumeration(name)
    case .structure: .structure(name)
    case nil: nil
    }
  }

  private static func scalar(_ name: String) -> ScalarType? {
    SchemaNames.scalars[name]
  }
}

extension Diagnostic {
  static func modelOfOtherSchema(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .unknownType, at: range, "'\(name)' belongs to a different schema, because it is inside another type",
      help: "related models must all be in the same version, or have different names in types that are not versions")
  }

  fileprivate static func generatedType(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range, "'\(name)' is nested in every model and hides the app's type of the same name",
      help: "qualify the name with its module, or rename the type")
  }

  fileprivate static func hiddenType(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .unsupportedDeclaration, at: range,
      "generated files cannot refer to the private type '\(name)' of a stored property",
      help: "remove its access level, or mark the property '@Transient'")
  }

  fileprivate static func notCodable(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .unknownType, at: range, "a value of type '\(name)' cannot be stored, because '\(name)' is not 'Codable'",
      help: "declare the conformance, or mark the property '@Transient'")
  }

  fileprivate static func unknownType(
    _ name: String, _ nearest: String, _ range: SourceRange
  ) -> Self {
    Self(
      .unknownType, at: range, "unknown type '\(name)'", help: "did you mean '\(nearest)'?",
      fixIts: [.replace(range, with: nearest, title: "replace it with '\(nearest)'")])
  }

  fileprivate static func doubleOptional(_ type: TypeSyntax) -> Self {
    var fixIts: [FixIt] = []
    let marks = type.text.utf8.reversed().prefix { $0 == UInt8(ascii: "?") }.count
    if marks > 1 {
      var mark = type.range
      mark.start = mark.end - (marks - 1)
      fixIts = [.remove(mark, title: marks == 2 ? "remove one '?'" : "keep one '?'")]
    }
    return Self(
      .doubleOptional, at: type.range, "'\(type.text)' is optional twice",
      help: "make it optional once", fixIts: fixIts)
  }
}
