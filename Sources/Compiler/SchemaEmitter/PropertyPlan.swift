import SchemaModel
import SwiftSource

/// The emission plan for a model's property.
final class PropertyPlan {
  enum Role {
    /// A value in a column.
    case attribute(slot: Int, Coding)
    /// A value that is kept in memory as long as the object exists.
    case ephemeral
    /// A stored property that Trellis ignores.
    case transient
    case toOne(slot: Int, isOptional: Bool)
    case toMany(slot: Int, isOptional: Bool)
  }

  /// The row functions that read and write the value.
  enum Coding {
    case value
    case codable
    /// The raw value of a type that the schema does not declare.
    case raw
    /// The raw value of a type that the schema does not declare, or JSON if the type has no raw value.
    case automatic
    /// A value transformer, as written in the schema.
    case transformed(String)
    /// The value itself, in a separate file if it is large.
    case external
    /// A separate column for each of the struct's properties.
    case flattened
  }

  let source: ResolvedProperty
  private let runtime: RuntimeNames
  let name: String
  let role: Role
  /// The Swift property's type.
  let type: TypeRef
  /// The snapshot field's type.
  let fieldType: TypeRef
  /// The field's value while the actual value is unknown.
  let placeholder: Code
  /// The memberwise initializer's default argument.
  let defaultValue: Code?
  /// The default value in the schema, for attributes that models hold.
  let writtenDefault: DefaultPlan?
  let access: Access
  let setterAccess: Access?
  /// True if the property has a setter.
  let isSettable: Bool
  let documentation: [String]
  /// The struct in the model that holds the field: `_$values`, or a subclass's own struct.
  let storage: String

  /// The replacement for an unknown stored value; `nil` to report an error.
  let unknownValue: Code?
  /// True if the field is empty until a value is assigned or read, because there may be no placeholder for the type.
  let isUnassigned: Bool
  /// The row function that reads the field, and whether the function throws.
  let reader: Code
  let readsThrow: Bool
  /// The row function that writes the field.
  let writer: Code
  /// True if a released version's snapshot also has a throwing property of this name, which reads the value from a
  /// file on access.
  let isLoaded: Bool
  /// The property's name in messages, such as `Trip.weather`.
  let place: String
  /// The JSON form of the value's types; `nil` for synthesized coding.
  let codedForm: String?
  /// The types in the value's JSON; `nil` if they include no declared types.
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
    // Only a copied initializer assigns a constant after its storage exists.
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

  /// The snapshot field's name, with a prefix if the snapshot has a different member of this name.
  var fieldName: String { isLoaded ? "_$" + name : parameterName }

  /// The label in the snapshot's memberwise initializer.
  var parameterName: String { Self.snapshotMembers.contains(name) ? "_$" + name : name }

  private static let snapshotMembers: Set<String> = ["persistentIdentifier", "makeModel"]

  /// The value to return while the field is empty.
  private var substitute: Code { defaultValue ?? runtime.made(for: place) }

  /// True if Swift initializes the field with `nil`.
  var isOptionalField: Bool { fieldType.isOptional }

  /// The field in the model.
  var field: Code { "\(name: storage).\(name: fieldName)" }

  /// Returns the field's value for a value of the property.
  func stored(_ value: Code) -> Code {
    guard case .attribute(_, .external) = role else { return value }
    return "\(runtime.externalData)(\(value))"
  }

  /// The property's value, read from the model's field.
  var loaded: Code {
    if isUnassigned { return "\(field) ?? \(substitute)" }
    guard case .attribute(_, .external) = role else { return field }
    return type.isOptional ? "\(field).optionalData" : "\(field).data"
  }

  /// True if coding uses conformances that the app declares, which may be isolated to the main actor.
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

  /// True if the snapshot has a field for the property.
  var isStored: Bool { slot != nil }
  /// True if the value is in a column.
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

  /// The optional form of the type.
  var optionalType: TypeRef {
    type.isOptional ? type : .optional(type)
  }

  /// The name of the generated accessors for a property in a Swift file.
  var sourceName: String { "_$property_" + name }

  /// The name of an ephemeral property's storage.
  var ephemeralName: String { "_$ephemeral_" + name }

  /// True if the memberwise initializer has a parameter for the property.
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
