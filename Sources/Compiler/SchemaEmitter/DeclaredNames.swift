import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SwiftSource

/// The names that a target's schemas declare. Swift looks up a name among members and nested types first, then among
/// the target's types, then in imported modules. If a declaration hides a type, generated code puts the module name in
/// front of the type's name.
struct DeclaredNames: Sendable {
  let module: String
  /// All types that any schema version declares.
  private var types: Set<String> = []
  /// Members and nested types, which also hide the target's own types.
  private var members = associatedTypes

  /// Associated types of the protocols that generated types conform to.
  private static let associatedTypes = """
    AllCases Base CodingKeys Current ID Model OwnValues RawValue Root Snapshot
    """.words

  /// - Parameters:
  ///   - others: The names listed under `declares` in the configuration.
  ///   - swiftFiles: The names of the target's Swift files, with no extension. A file `Date.swift` probably declares a
  ///     type `Date`. If it only extends the type, the module name in generated code does no harm.
  init(module: String, schemas: [ResolvedSchema], _ others: [String], swiftFiles: [String]) {
    self.module = module
    members.formUnion(others)
    types.formUnion(swiftFiles)
    for schema in schemas { add(schema) }
  }

  /// Returns true if a type that is generated inside each model has the same name as one of the target's types.
  func isHidden(_ name: String) -> Bool { types.contains(name) && ["Snapshot", "OwnValues", "Root"].contains(name) }

  /// Returns a reference to a type in an imported module, with the module name if a declaration hides the type.
  func type(_ name: String, in module: String, _ arguments: TypeRef...) -> TypeRef {
    TypeRef(name, in: types.contains(name) || members.contains(name) ? module : nil, arguments)
  }

  /// Returns a reference to a file-level type of the target.
  func own(_ name: String) -> TypeRef {
    // Nearly all members, including protocol requirements, begin with a lowercase letter.
    let isCapital = name.utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
    return isCapital && !members.contains(name) ? TypeRef(name) : qualified(name)
  }

  /// Returns a reference to a type of the target with the module name, for code in which a nested type has the same
  /// name.
  func qualified(_ name: String) -> TypeRef { TypeRef(name, in: module) }

  private mutating func add(_ schema: ResolvedSchema) {
    for name in ["Schema", "MigrationPlan"] { types.insert(schema.name + name) }
    for entity in schema.entities {
      types.insert(entity.name)
      for property in entity.properties { members.insert(property.name) }
      for text in entity.carriedMembers { members.formUnion(Self.declarations(in: text)) }
    }
    for type in schema.enums {
      add(type.name, declaredAs: type.declaration)
      for item in type.cases { members.insert(item.name) }
    }
    for type in schema.structs { add(type.name, declaredAs: type.declaration) }
  }

  private mutating func add(_ type: String, declaredAs text: SwiftText) {
    let path = type.parts(separatedBy: ".")
    types.insert(path[0])
    members.formUnion(path.dropFirst())
    members.formUnion(Self.declarations(in: text).dropFirst())
  }

  /// Returns the names of declared types, variables and functions, in source order.
  private static func declarations(in text: SwiftText) -> [String] {
    let file = SourceFile(path: "", text: text.text)
    let words = Lexer.lex(file, index: 0).0.map { file.text(from: Int($0.start), to: Int($0.end)) }
    var names: [String] = []
    for (index, word) in words.enumerated().dropLast() where keywords.contains(word) {
      names.append(words[index + 1].filter { $0 != "`" })
    }
    return names
  }

  private static let keywords = "actor case class enum func let protocol struct typealias var".words
}
