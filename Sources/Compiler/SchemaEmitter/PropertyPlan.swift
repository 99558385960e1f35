import SchemaModel
import SwiftSource

/// A property of a model, decided.
final class PropertyPlan {
  enum Role {
    /// A value in a column.
    case attribute(slot: Int, Coding)
    /// A value that lives as long as the object.
    case ephemeral
    /// A stored property the library does not know.
    case transient
    case toOne(slot: Int, isOptional: Bool)
    case toMany(slot: Int, isOptional: Bool)
  }

  /// Which of a row's functions reads and writes the value.
  enum Coding {
    case value
    case codable
    /// As the raw value of a type the schema does not declare.
    case raw
    /// As the raw value if a type the schema does not declare has one, else as JSON.
    case automatic
    /// By the transformer, as written.
    case transformed(String)
    /// In a file beside the store, when it is large.
    case external
    /// A column for each property of the struct.
    case flattened
  }

  let source: ResolvedProperty
  private let runtime: RuntimeNames
  let name: String
  let role: Role
  /// The type of the Swift property.
  let type: TypeRef
  /// The type of the field of the snapshot.
  let fieldType: TypeRef
  /// What the field holds when the value is not known.
  let placeholder: Code
  /// The default argument of the memberwise initialiser.
  let defaultValue: Code?
  /// The default value written in the schema, of an attribute that models hold.
  let writtenDefault: DefaultPlan?
  let access: Access
  let setterAccess: Access?
  /// Whether there is a setter at all.
  let isSettable: Bool
  let documentation: [String]
  /// The struct in the model that holds the field: `_$values`, or a subclass's own.
  let storage: String

  /// What an unknown stored value is read as; nil when that is an error.
  let unknownValue: Code?
  /// Whether the field is empty until a value is assigned or read: nothing is known of the type that
  /// a value could be made from.
  let isUnassigned: Bool
  /// The function of a row that reads the field, and whether it throws.
  let reader: Code
  let readsThrow: Bool
  /// The function of a row that writes the field.
  let writer: Code
  /// Whether the snapshot has another property of this name, which reads the value when it is asked for
  /// and throws when it cannot: what is in a file, of a released version.
  let isLoaded: Bool
  /// The property as a reader of a message knows it: `Trip.weather`.
  let place: String
  /// How the types in its text are written; nil where Swift does it by itself.
  let codedForm: String?
  /// The types of the values in its JSON; nil without declared types.
  let jsonFields: String?

  init(
    _ attribute: ResolvedAttribute, slot: Int, storage: String, in entity: ResolvedEntity,
    types: TypeTable, rules: AccessRules, access typeAccess: Access
  ) {
    source = .attribute(attribute)
    let runtime = types.runtime
    self.runtime = runtime
    name = attribute.name
    type = types.swift(attribute.type)
    documentation = attribute.documentation
    place = "\(entity.name).\(attribute.name)"
    codedForm = types.forms.text(of: attribute)
    jsonFields = types.fields.text(of: attribute)
    self.storage = storage
    access = rules.member(attribute.access, in: typeAccess)
    // Only a carried initialiser assigns a constant after its storage exists.
    let isAssigned = attribute.isLet && !entity.carriedInitializers.isEmpty
    setterAccess =
      isAssigned ? .private : attribute.setterAccess.map { AccessRules.access($0) }
    isSettable = !attribute.isLet || isAssigned
    let owner = types.own(entity.name)
    writtenDefault =
      attribute.isTransient
      ? nil
      : attribute.defaultValue.map {
        DefaultPlan($0, of: attribute.name, attribute.type, in: owner, types: types)
      }
    defaultValue =
      writtenDefault?.value ?? attribute.defaultValue.map { "\(carried: $0.text)" }
      ?? (attribute.type.isOptional ? "nil" : nil)
    unknownValue = attribute.unknown == .default ? defaultValue ?? "nil" : nil
    isUnassigned = attribute.isAssignedLater
    let coding = attribute.coding
    let isTolerant = unknownValue != nil
    switch coding {
    case .value where !isTolerant:
      let safe = types.reader(attribute.type)
      reader = safe ?? coding.name
      readsThrow = safe == nil
      writer = safe.flatMap { $0 == "scalar" ? nil : $0 } ?? coding.name
    case .value, .codable, .raw, .automatic:
      reader = coding.name
      readsThrow = !isTolerant
      writer = coding.name
    case .external:
      reader = coding.name
      readsThrow = false
      writer = coding.name
    case .transformed, .flattened:
      reader = coding.name
      readsThrow = true
      writer = coding.name
    }
    let role: Role =
      attribute.isTransient
      ? .transient
      : attribute.options.contains(.ephemeral)
        ? .ephemeral : .attribute(slot: slot, coding)
    self.role = role
    if case .attribute(_, .external) = role {
      isLoaded = !types.scope.isEmpty
      fieldType = runtime.externalData
      placeholder = "\(runtime.externalData)()"
    } else {
      isLoaded = false
      fieldType = isUnassigned ? .optional(type) : type
      placeholder =
        isUnassigned && role.isStored || attribute.type.isOptional
        ? "nil" : types.placeholder(attribute.type, of: place)
    }
  }

  init(
    _ relationship: ResolvedRelationship, slot: Int, storage: String, types: TypeTable,
    rules: AccessRules, access typeAccess: Access
  ) {
    source = .relationship(relationship)
    runtime = types.runtime
    name = relationship.name
    documentation = relationship.documentation
    place = relationship.name
    codedForm = nil
    jsonFields = nil
    self.storage = storage
    access = rules.member(relationship.access, in: typeAccess)
    setterAccess = relationship.setterAccess.map { AccessRules.access($0) }
    isSettable = true
    placeholder = "nil"
    writtenDefault = nil
    unknownValue = nil
    isUnassigned = false
    isLoaded = false
    reader = ""
    readsThrow = false
    writer = ""
    let destination = types.own(relationship.destination)
    let written: Code? = relationship.defaultValue.map { "\(carried: $0.text)" }
    switch relationship.cardinality {
    case .toOne(let isOptional):
      role = .toOne(slot: slot, isOptional: isOptional)
      type = isOptional ? .optional(destination) : destination
      fieldType = .optional(runtime.persistentIdentifier)
      defaultValue = written ?? (isOptional ? "nil" : nil)
    case .toMany(let isOptional):
      role = .toMany(slot: slot, isOptional: isOptional)
      type = isOptional ? .optional(.array(destination)) : .array(destination)
      fieldType = .optional(.array(runtime.persistentIdentifier))
      defaultValue = written ?? (isOptional ? "nil" : "[]")
    }
  }

  /// The snapshot field's name. The snapshot has additional members.
  var fieldName: String { isLoaded ? "_$" + name : parameterName }

  /// What the snapshot's memberwise initialiser calls it.
  var parameterName: String { Self.snapshotMembers.contains(name) ? "_$" + name : name }

  private static let snapshotMembers: Set<String> = ["persistentIdentifier", "makeModel"]

  /// What is read while the field is empty.
  private var substitute: Code { defaultValue ?? runtime.made(for: place) }

  /// Whether Swift starts the field with nil.
  var isOptionalField: Bool { fieldType.isOptional }

  /// The field in the model.
  var field: Code { "\(name: storage).\(name: fieldName)" }

  /// What the field holds for a value of the property.
  func stored(_ value: Code) -> Code {
    guard case .attribute(_, .external) = role else { return value }
    return "\(runtime.externalData)(\(value))"
  }

  /// The value of the property in the field of the model.
  var loaded: Code {
    if isUnassigned { return "\(field) ?? \(substitute)" }
    guard case .attribute(_, .external) = role else { return field }
    return type.isOptional ? "\(field).optionalData" : "\(field).data"
  }

  /// True if values are coded by conformances that the program declares, which the main actor may isolate.
  var mayBeIsolated: Bool {
    guard case .attribute(let attribute) = source, case .attribute(_, let coding) = role else { return false }
    return switch coding {
    case .codable, .raw, .automatic: attribute.type.opaqueType != nil
    case .value, .transformed, .external, .flattened: false
    }
  }

  var slot: Int? {
    switch role {
    case .attribute(let slot, _), .toOne(let slot, _), .toMany(let slot, _): slot
    case .ephemeral, .transient: nil
    }
  }

  /// Whether the snapshot has a field for it.
  var isStored: Bool { slot != nil }
  /// Whether a column has the value.
  var isColumn: Bool {
    switch role {
    case .attribute, .toOne: true
    case .ephemeral, .transient, .toMany: false
    }
  }

  var isRelationship: Bool {
    switch role {
    case .toOne, .toMany: true
    case .attribute, .ephemeral, .transient: false
    }
  }

  /// The type with a way to say that there is no value.
  var optionalType: TypeRef {
    type.isOptional ? type : .optional(type)
  }

  /// The name of the generated accessors of a property in a Swift file.
  var sourceName: String { "_$property_" + name }

  /// The name of the stored property behind an ephemeral one.
  var ephemeralName: String { "_$ephemeral_" + name }

  /// Whether the memberwise initialiser takes it.
  var isParameter: Bool {
    if case .transient = role { return false }
    return defaultValue == nil || access >= .internal
  }

  /// `name: Type = default`
  var parameter: Code {
    let head: Code = "\(parameter: name): \(type)"
    return defaultValue.map { "\(head) = \($0)" } ?? head
  }
}
