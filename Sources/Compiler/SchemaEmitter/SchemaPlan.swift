import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import SwiftSource

extension ResolvedEntity {
  /// The models to which to-one relationships refer.
  fileprivate var referencedModels: [String] {
    properties.compactMap { property in
      guard case .relationship(let relationship) = property, case .toOne = relationship.cardinality else { return nil }
      return relationship.destination
    }
  }
}

/// A schema with everything that is decided for the emitters: names, types, slots, access levels.
final class SchemaPlan {
  let schema: ResolvedSchema
  /// False for a released version.
  let isHead: Bool
  let input: EmissionInput
  let rules: AccessRules
  /// In declaration order.
  private(set) var entities: [EntityPlan] = []
  let types: TypeTable
  /// The structs whose properties are stored in separate columns.
  let flattenedTypes: Set<String>
  let hasReleases: Bool
  private let lines: [LineTable]
  private let written: ResolvedSchema

  /// - Parameter history: The history that contains the schema as head or released version.
  init(_ schema: ResolvedSchema, of history: SchemaHistory, _ input: EmissionInput, lines: [LineTable]) {
    written = schema
    isHead = schema.version == history.head.version
    hasReleases = !history.frozen.isEmpty
    let limit = schema.scope?.access.flatMap(Access.init) ?? .open
    rules = AccessRules(option: input.access, limit: isHead ? limit : .open)
    let schema = isHead ? schema : schema.withoutCode(rules)
    let homes =
      isHead
      ? schema.homesOfSwiftTypes
      : history.typeHomes(of: schema).mapValues { $0.version == history.head.version ? [] : Self.scope(of: $0) }
    flattenedTypes = history.flattenedTypes(of: schema)
    self.schema = schema
    self.input = input
    self.lines = lines
    let types = TypeTable(
      names: input.names, runtime: input.runtime,
      enums: Set(
        schema.enums.lazy.filter { $0.cases.contains(where: \.payload.isEmpty) }.map(\.name)),
      cases: Dictionary(
        firstOf: schema.enums.map { ($0.name, Set($0.cases.map(\.name))) }),
      models: Set(schema.entities.map(\.name)),
      scope: isHead ? schema.scope?.path ?? [] : Self.scope(of: schema), homes: homes,
      forms: CodedForms(written), fields: JSONFields(written))
    self.types = types

    let byName = schema.entities.keyed(by: \.name)
    let parents = Set(schema.entities.compactMap(\.superentity))
    let referenced = isHead ? Set(schema.entities.flatMap(\.referencedModels)) : []
    var plans: [String: EntityPlan] = [:]
    func plan(_ entity: ResolvedEntity, depth: Int) -> EntityPlan {
      if let plan = plans[entity.name] { return plan }
      let parent = entity.superentity.flatMap { byName[$0] }
      let superplan = parent.flatMap {
        depth < schema.entities.count ? plan($0, depth: depth + 1) : nil
      }
      let plan = EntityPlan(
        entity, parent: superplan, isInherited: parents.contains(entity.name),
        isSource: isHead && schema.files[entity.file].path.hasSuffix(".swift"),
        isReferenced: referenced.contains(entity.name), schema: byName, types: types, rules: rules)
      plans[entity.name] = plan
      return plan
    }
    entities = schema.entities.map { plan($0, depth: 0) }
  }

  /// True if a migration plan is generated. Before the first release, models in Swift files may have a handwritten plan
  /// of the same name.
  var hasPlan: Bool { schema.scope == nil || hasReleases }
  /// True if the models are inside a handwritten type.
  var isNested: Bool { isHead && schema.scope?.path.isEmpty == false }
  /// The version enum's name.
  var versionsName: String { (hasPlan ? "" : "_$") + Self.versionsName(schema) }
  var planName: String { schema.name + "MigrationPlan" }
  var versionName: String { Self.versionName(schema) }
  var versionType: TypeRef { input.names.own(versionsName).member(versionName) }
  /// The models' version type; `nil` if the enclosing type is not a version.
  var statedVersion: TypeRef? {
    guard isNested, let scope = schema.scope else { return versionType }
    return scope.isVersion ? types.own(path: scope.path) : nil
  }

  private static func scope(of schema: ResolvedSchema) -> [String] {
    [versionsName(schema), versionName(schema)]
  }

  private static func versionsName(_ schema: ResolvedSchema) -> String { schema.name + "Schema" }
  private static func versionName(_ schema: ResolvedSchema) -> String {
    let version = schema.version
    return "V\(version.major)_\(version.minor)_\(version.patch)"
  }

  /// The source schema's fingerprint, which includes the code that released versions omit.
  var fingerprint: String { written.fingerprint() }

  /// Returns a file's path for compiler messages. The path is empty for a released version, because its file has the
  /// same name as the head's, and Swift identifies a module's files by name.
  func path(ofFile file: Int) -> String {
    let path = schema.files[file].path
    // Swift identifies the module's own files by full path.
    return isHead ? path.hasSuffix(".swift") ? path : input.shown(path) : ""
  }

  func line(of range: SourceRange) -> Int {
    lines.indices.contains(range.file) ? lines[range.file].line(at: range.start) : 1
  }

  func carried(_ text: SwiftText, adapted: String) -> CarriedText {
    CarriedText(adapted, path: path(ofFile: text.file), line: text.line)
  }
}

extension ResolvedSchema {
  /// The enclosing types of models and enums in Swift files, by name, if they differ from the schema's scope.
  fileprivate var homesOfSwiftTypes: [String: [String]] {
    let other = enums.filter { $0.swift.map { $0.home != scope?.path ?? [] } ?? false }
    return homes.merging(other.map { ($0.name, $0.swift?.home ?? []) }) { first, _ in first }
  }
}

/// Swift spellings of schema types.
struct TypeTable {
  let names: DeclaredNames
  let runtime: RuntimeNames
  /// The enums that have a case with no associated values.
  let enums: Set<String>
  /// The case names by enum.
  let cases: [String: Set<String>]
  /// Model names.
  let models: Set<String>
  /// The enclosing types of the models in a released version or a Swift file.
  let scope: [String]
  /// The enclosing types of value types outside the scope. These are types that a released version shares with a later
  /// version, and enums in Swift files.
  let homes: [String: [String]]
  /// The textual forms of types.
  let forms: CodedForms
  /// JSON value types.
  let fields: JSONFields

  /// Returns a reference to one of the target's types, including enclosing models.
  func own(_ name: String) -> TypeRef {
    if scope.isEmpty, homes[name] == nil, !name.utf8.contains(UInt8(ascii: ".")) { return names.own(name) }
    return own(path: parts(of: name))
  }

  /// Returns a reference to one of the target's types by its full path.
  func own(path: [String]) -> TypeRef {
    let first = path.first ?? ""
    // A version enum may contain a type with the same name as a type at file level.
    let isOutside = !scope.isEmpty && first != scope[0]
    return path.dropFirst().reduce(isOutside ? names.qualified(first) : names.own(first)) { $0.member($1) }
  }

  /// Returns a reference to one of the target's types with the module name.
  func qualified(_ name: String) -> TypeRef {
    let parts = parts(of: name)
    return parts.dropFirst().reduce(names.qualified(parts.first ?? name)) { $0.member($1) }
  }

  /// Returns the name to write after `extension`, which accepts no module name.
  func path(_ name: String) -> Code {
    let parts = parts(of: name).map { "\(name: $0)" as Code }
    return parts.dropFirst().reduce(parts.first ?? "\(name: name)") { "\($0).\($1)" }
  }

  private func parts(of name: String) -> [String] {
    let own = name.parts(separatedBy: ".")
    return (homes[name] ?? scope) + own
  }

  func swift(_ type: ValueType) -> TypeRef {
    switch type {
    case .scalar(let scalar): names.type(scalar.rawValue, in: scalar.module)
    case .enumeration(let name), .structure(let name): own(name)
    case .opaque(let text): .carried(opaque(text))
    case .optional(let wrapped): .optional(swift(wrapped))
    case .array(let element): .array(swift(element))
    case .set(let element): names.type("Set", in: "Swift", swift(element))
    case .dictionary(let key, let value): .dictionary(key: swift(key), value: swift(value))
    }
  }

  /// Returns the spelling of a type that the schema does not declare. In a released version, a type inside a current
  /// model needs the module name, because the version's class does not contain the type.
  func opaque(_ text: String) -> String {
    let first = text.firstIndex { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { text[..<$0] } ?? text[...]
    let isInModel = !scope.isEmpty && first.endIndex < text.endIndex && models.contains(String(first))
    return isInModel || names.isHidden(String(first)) ? "\(names.module)::\(text)" : text
  }

  /// Returns the value of a property that was not loaded.
  ///
  /// - Parameter place: The property for messages: `Trip.weather`.
  func placeholder(_ type: ValueType, of place: String) -> Code {
    switch type {
    case .optional: "nil"
    case .array, .set: "[]"
    case .dictionary: "[:]"
    case .opaque: runtime.made(for: place)
    case .scalar, .enumeration, .structure: ".placeholder"
    }
  }
}

extension TypeTable {
  /// Returns the row function that reads a value and substitutes a placeholder for an unreadable value; `nil` if the
  /// type might have no placeholder.
  func reader(_ type: ValueType) -> Code? {
    switch type {
    case .scalar(.string): "text"
    case .scalar(.int): "integer"
    case .scalar(.double): "real"
    case .scalar(.bool): "flag"
    case .scalar(.date): "date"
    case .scalar(.uuid): "uuid"
    case .scalar(.data): "data"
    case .optional(.scalar(.string)): "optionalText"
    case .optional(.scalar(.int)): "optionalInteger"
    case .optional(.scalar(.double)): "optionalReal"
    case .optional(.scalar(.date)): "optionalDate"
    case .optional(.scalar(.data)): "optionalData"
    case .scalar, .optional, .array, .set, .dictionary: "scalar"
    case .enumeration(let name): enums.contains(name) ? "scalar" : nil
    case .structure, .opaque: nil
    }
  }
}

extension ValueType {
  /// Nested types that the schema does not declare.
  var opaqueTypes: [String] {
    switch self {
    case .opaque(let text): [text]
    case .optional(let type), .array(let type), .set(let type): type.opaqueTypes
    case .dictionary(let key, let value): key.opaqueTypes + value.opaqueTypes
    case .scalar, .enumeration, .structure: []
    }
  }

  var opaqueType: String? { opaqueTypes.first }

  var isOptional: Bool {
    if case .optional = self { true } else { false }
  }
}
