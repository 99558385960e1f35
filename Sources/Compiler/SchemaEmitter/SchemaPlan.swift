import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import SwiftSource

extension ResolvedEntity {
  /// The models that the to-one relationships of this one lead to.
  fileprivate var referencedModels: [String] {
    properties.compactMap { property in
      guard case .relationship(let relationship) = property, case .toOne = relationship.cardinality else { return nil }
      return relationship.destination
    }
  }
}

/// One schema with every decision made that emission rests on: names, types, slots, access.
final class SchemaPlan {
  let schema: ResolvedSchema
  /// False for a released version.
  let isHead: Bool
  let input: EmissionInput
  let rules: AccessRules
  /// In declaration order.
  private(set) var entities: [EntityPlan] = []
  let types: TypeTable
  /// The structs that have a column for each of their properties somewhere.
  let flattenedTypes: Set<String>
  let hasReleases: Bool
  private let lines: [LineTable]
  private let written: ResolvedSchema

  /// - Parameter history: what the schema is the head or a released version of.
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
        schema.enums.map { ($0.name, Set($0.cases.map(\.name))) }, uniquingKeysWith: { first, _ in first }),
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

  /// Whether the program migrates with a generated plan. A program without schema files writes its own one until it has
  /// released versions, and may use the name.
  var hasPlan: Bool { schema.scope == nil || hasReleases }
  /// Whether the type around the models is one of the program.
  var isNested: Bool { isHead && schema.scope?.path.isEmpty == false }
  /// The name of the enum that holds the versions.
  var versionsName: String { (hasPlan ? "" : "_$") + Self.versionsName(schema) }
  var planName: String { schema.name + "MigrationPlan" }
  var versionName: String { Self.versionName(schema) }
  var versionType: TypeRef { input.names.own(versionsName).member(versionName) }
  /// The version that the models state; nil if they are in a type that is none.
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

  /// Of the schema as it was read: what is left out of released versions counts.
  var fingerprint: String { written.fingerprint() }

  /// A file's path as the compiler is to name it in what it says; empty for the file of a released
  /// version. That one is called like the head's, and Swift knows the files of a module by their names.
  func path(ofFile file: Int) -> String {
    let path = schema.files[file].path
    // The compiler knows a Swift file of the module by its whole path.
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
  /// The models and the enums of Swift files that are not in the types around the schema's models.
  fileprivate var homesOfSwiftTypes: [String: [String]] {
    let other = enums.filter { $0.swift.map { $0.home != scope?.path ?? [] } ?? false }
    return homes.merging(other.map { ($0.name, $0.swift?.home ?? []) }) { first, _ in first }
  }
}

/// How the schema's types are spelled in Swift.
struct TypeTable {
  let names: DeclaredNames
  let runtime: RuntimeNames
  /// The enums that have a case without values.
  let enums: Set<String>
  /// The names of the cases of each enum.
  let cases: [String: Set<String>]
  /// The names of the models of the schema.
  let models: Set<String>
  /// The types around the models: those of a released version, or of models in a Swift file.
  let scope: [String]
  /// The value types that are not there, with the types around them: those a released version has from a later one, and
  /// enums of Swift files.
  let homes: [String: [String]]
  /// How types are written as text.
  let forms: CodedForms
  /// The types of the values in JSON.
  let fields: JSONFields

  /// A type of the target; one inside a model is named behind it.
  func own(_ name: String) -> TypeRef {
    if scope.isEmpty, homes[name] == nil, !name.utf8.contains(UInt8(ascii: ".")) { return names.own(name) }
    return own(path: parts(of: name))
  }

  /// A type of the target by the names of the types around it and its own.
  func own(path: [String]) -> TypeRef {
    let first = path.first ?? ""
    // The enum of a version may have a type with the name of one at file level.
    let isOutside = !scope.isEmpty && first != scope[0]
    return path.dropFirst().reduce(isOutside ? names.qualified(first) : names.own(first)) { $0.member($1) }
  }

  /// A type of the target behind the name of its module.
  func qualified(_ name: String) -> TypeRef {
    let parts = parts(of: name)
    return parts.dropFirst().reduce(names.qualified(parts.first ?? name)) { $0.member($1) }
  }

  /// The name behind `extension`, where no module may stand.
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

  /// A type that the schema does not declare. In a released version, one inside a model of the program: the class of the
  /// version has another one of this name, which does not contain it.
  func opaque(_ text: String) -> String {
    let first = text.firstIndex { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { text[..<$0] } ?? text[...]
    let isInModel = !scope.isEmpty && first.endIndex < text.endIndex && models.contains(String(first))
    return isInModel || names.isHidden(String(first)) ? "\(names.module)::\(text)" : text
  }

  /// What stands for a value that was not loaded.
  ///
  /// - Parameter place: what the value is of: `Trip.weather`.
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
  /// The function of a row that reads a value whose placeholder stands for what cannot be read; nil
  /// where there may be none.
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
  /// The types inside that the schema does not declare.
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
