import Foundation
import SchemaFixtures
import SchemaModel
import Trellis

/// The values that a column may contain, apart from NULL.
enum ValueRule {
  case scalar(any StandardValue.Type)
  /// An enum's raw values in stored form.
  case cases(Set<SQLValue>, of: String)
  /// JSON text for a type in the schema source.
  case json(JSONShape)
  /// JSON text for an unknown type.
  case anyJSON
  case bytes
  /// Bytes, or an external file's name.
  case external
  /// The number 1, which marks that an optional struct has a value.
  case presence
  case anything

  /// A problem with a value.
  enum Problem {
    case wrongValue(String)
    case unknownCase(String)
  }

  /// Returns the problem with a non-NULL value, or `nil` if the value is valid.
  func problem(of value: SQLValue) -> Problem? {
    switch self {
    case .anything: nil
    case .scalar(let type): Self.isValid(value, type) ? nil : .wrongValue("is not a '\(type)'")
    case .cases(let known, let name): known.contains(value) ? nil : .unknownCase("is no case of '\(name)'")
    case .json(let shape): shape.problem(of: value).map { .wrongValue($0) }
    case .anyJSON: JSONNode(value) == nil ? .wrongValue("is not JSON text") : nil
    case .bytes:
      if case .blob = value { nil } else { .wrongValue("is not a blob") }
    case .external:
      switch value {
      // File names are checked separately.
      case .blob, .text: nil
      default: .wrongValue("is neither a blob nor the name of a file")
      }
    case .presence: value == .integer(1) ? nil : .wrongValue("is not 1, the mark of a struct that is not nil")
    }
  }

  private static func isValid<V: StandardValue>(_ value: SQLValue, _: V.Type) -> Bool {
    switch value {
    case .integer(let number as V.Stored): V(stored: number) != nil
    case .real(let number as V.Stored): V(stored: number) != nil
    // Whole reals from third-party tools may be read as integers.
    case .integer(let number): (Double(number) as? V.Stored).map { V(stored: $0) != nil } ?? false
    case .text("NaN") where V.Stored.self == Double.self: true
    case .text(let text as V.Stored): V(stored: text) != nil
    case .blob(let bytes): (Data(bytes) as? V.Stored).map { V(stored: $0) != nil } ?? false
    default: false
    }
  }
}

/// Derives rules from the schema source, or from the recorded types if a store has no source.
struct ValueRules {
  private let attributes: [String: ResolvedAttribute]
  private let types: JSONTypes

  init(_ schemas: [ResolvedSchema]) {
    let entities = schemas.flatMap(\.entities)
    let own = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var attributes: [String: ResolvedAttribute] = [:]
    for entity in entities {
      var (current, steps): (ResolvedEntity?, Int) = (entity, 0)
      // Entities include inherited properties.
      while let declaring = current, steps <= entities.count {
        for case .attribute(let attribute) in declaring.properties {
          let key = "\(entity.name).\(attribute.name)"
          if attributes[key] == nil { attributes[key] = attribute }
        }
        (current, steps) = (declaring.superentity.flatMap { own[$0] }, steps + 1)
      }
    }
    self.attributes = attributes
    types = JSONTypes(schemas)
  }

  /// Returns the rules for a property's columns, by column name.
  func rules(of column: ColumnLayout, in entity: EntityLayout) -> [(name: String, rule: ValueRule)] {
    let property = column.property
    guard let attribute = property.attribute, column.destination == nil else { return [] }
    let declared = attributes["\(entity.name).\(property.name)"]
    guard column.members.isEmpty else { return members(of: column, declared?.type) }
    if property.isExternal { return [(column.name, .external)] }
    if attribute.isTransformable { return [(column.name, .bytes)] }
    // The app reads unknown values as the default value.
    if declared?.unknown != nil || attribute.options.contains(where: { $0.keyword == "unknown" }) {
      return [(column.name, .anything)]
    }
    if let type = declared?.type {
      let isJSON = attribute.options.contains { ["json", "codable"].contains($0.keyword) }
      return [(column.name, isJSON ? .json(JSONShape(type.unwrapped, types)) : rule(type))]
    }
    return [(column.name, ValueForm(property).map(rule) ?? .anything)]
  }

  private func members(of column: ColumnLayout, _ type: ValueType?) -> [(name: String, rule: ValueRule)] {
    var rules: [(name: String, rule: ValueRule)] = []
    if column.members.first?.name != column.name { rules.append((column.name, .presence)) }
    let structure: ResolvedStruct? =
      if case .structure(let name)? = type?.unwrapped { types.structures[name] } else { nil }
    for (part, place) in zip(column.property.storedParts, column.members) {
      let field = structure?.fields.first { $0.name == part.name }
      rules.append((place.name, field.map { rule($0.type) } ?? (structure == nil ? rule(part.form) : .anything)))
    }
    return rules
  }

  private func rule(_ type: ValueType) -> ValueRule {
    switch type.unwrapped {
    case .scalar(let scalar): return .scalar(scalar.valueType)
    case .enumeration(let name):
      guard let type = types.enumerations[name] else { return .anything }
      guard let rawType = type.rawType else { return .json(JSONShape(.enumeration(name), types)) }
      let cases = type.cases.compactMap { $0.rawValue.flatMap { rawType.stored($0) } }
      return cases.count == type.cases.count ? .cases(Set(cases), of: name) : .scalar(rawType.valueType)
    case .structure(let name):
      if let raw = types.rawType(ofStruct: name) { return rule(raw) }
      return .json(JSONShape(.structure(name), types))
    case .array, .set, .dictionary, .optional: return .json(JSONShape(type.unwrapped, types))
    case .opaque: return .anything
    }
  }

  private func rule(_ form: ValueForm) -> ValueRule {
    switch form {
    case .standard(let name), .raw(let name, _):
      StandardValues.type(named: name).map { .scalar($0) } ?? .anything
    case .json: .anyJSON
    case .transformed: .bytes
    case .unknown: .anything
    }
  }
}

extension ScalarType {
  /// Returns an enum case's raw value in stored form.
  fileprivate func stored(_ raw: ResolvedEnum.RawValue) -> SQLValue? {
    switch raw {
    case .string(let text): return .text(text)
    case .other(let text): return Double(text).map { .real(self == .float ? Double(Float($0)) : $0) }
    case .integer(let number):
      switch self {
      case .double, .float: return .real(Double(number))
      case .uint, .uint64:
        return UInt64(exactly: number).map { .integer(Int64(bitPattern: $0 ^ (1 << 63))) }
      default: return .integer(number)
      }
    }
  }
}
