import SchemaDiagnostics
import SchemaSyntax

/// Builds an attribute from a stored property with a value type.
struct AttributeBuilder {
  let reader: PropertyReader
  let type: ReferencedType

  private var name: String { reader.name }
  var attributes: PropertyAttributes { reader.head.attributes }
  var options: AttributeOptions { attributes.attribute }

  func build(_ result: PropertyReader.Result) {
    if let range = attributes.relationshipRange {
      if attributes.isTransient {
        result.diagnostics.append(.transientRelationship(range))
      } else if let missing = type.opaqueName {
        return result.diagnostics.append(
          .noModel(missing, reader.names.nearestModel(to: missing), reader.binding.type?.innermost.range ?? typeRange))
      } else {
        result.diagnostics.append(.relationshipOfValue(range, name))
      }
    }
    checkStorability(result)
    checkOptions(result)
    if attributes.isTransient { checkTransient(result) }
    // In a schema file, an ephemeral property starts at zero.
    if options.has(.ephemeral), reader.source.isSwift { checkInitialValue(of: ".ephemeral", result) }
    let value = reader.binding.defaultValue
    if let value {
      result.diagnostics += DefaultCheck(names: reader.names).check(value, of: type)
    }
    result.property = .attribute(
      ResolvedAttribute(
        name: name, originalName: options.originalName, hashModifier: options.hashModifier,
        type: type.valueType, defaultValue: value.map { reader.source.expression($0) },
        options: Set(options.options.map(\.value)), transformer: options.transformer?.value,
        storage: options.storage?.value, unknown: options.unknown?.value, isTransient: attributes.isTransient,
        isLet: reader.head.isLet, access: reader.head.access,
        setterAccess: reader.head.setterAccess,
        documentation: reader.head.documentation, range: reader.range))
    if options.has(.unique), !attributes.isTransient {
      result.uniquePolicy = options.policy?.value ?? .replace
    }
  }

  private var typeRange: SourceRange {
    reader.binding.type?.range ?? reader.binding.defaultValue?.range ?? reader.range
  }

  private func checkStorability(_ result: PropertyReader.Result) {
    guard !attributes.isTransient else { return }
    guard options.transformer == nil else { return checkValue(result) }
    if let name = type.unstorableName {
      return result.diagnostics.append(.unstorable(name, typeRange))
    }
    // A storage option shows that the type is meant to be declared elsewhere. In a Swift file, it always is.
    let isMarked = options.has(.codable) || options.storage != nil || reader.source.isSwift
    guard !isMarked, let opaque = type.opaqueName,
      !isValueless || type.isNested || SchemaNames.belongsToLibrary(opaque)
    else { return checkValue(result) }
    result.diagnostics.append(
      .opaque(opaque, isNested: type.isNested, hasValue: !isValueless, typeRange))
  }

  /// True if the property has no known value until a value is assigned or read.
  private var isValueless: Bool {
    guard case .opaque = type else { return false }
    // A type with raw values is nearly always an enum, whose first case serves as a value.
    return reader.binding.defaultValue == nil && options.storage?.value != .raw
  }

  private func checkValue(_ result: PropertyReader.Result) {
    // A value of a type declared in the target can be decoded from JSON.
    let isSwift = reader.source.isSwift
    guard isValueless, let opaque = type.opaqueName, !isSwift || !type.isNested || options.transformer != nil else {
      return
    }
    result.diagnostics.append(.valueless(name, opaque, isSwift: isSwift, reader.range, type: typeRange))
  }

  private func checkOptions(_ result: PropertyReader.Result) {
    let value = type.unwrapped
    if let placed = options.placed(.unique), isCollection(value) {
      result.diagnostics.append(.uniqueCollection(placed.range, name))
    }
    if let placed = options.placed(.externalStorage), case .scalar(let scalar) = value,
      scalar != .data, scalar != .string
    {
      result.diagnostics.append(.externalStorage(placed, scalar))
    }
    checkStorage(result)
    if let preserved = options.placed(.preserveValueOnDeletion),
      let ephemeral = options.placed(.ephemeral)
    {
      result.diagnostics.append(.preserved(preserved, name, is: "'.ephemeral'", ephemeral.range))
    }
  }

  private func checkTransient(_ result: PropertyReader.Result) {
    let range = attributes.transientRange ?? reader.range
    if let placed = options.placed(.unique) {
      result.diagnostics.append(.conflict("@Transient", placed, range))
    }
    if let placed = options.placed(.preserveValueOnDeletion) {
      result.diagnostics.append(.preserved(placed, name, is: "'@Transient'", range))
    }
    checkInitialValue(of: "@Transient", result)
  }

  private func checkInitialValue(of option: String, _ result: PropertyReader.Result) {
    let isOptional = if case .optional = type { true } else { false }
    if !isOptional, reader.binding.defaultValue == nil {
      result.diagnostics.append(.transientNeedsDefault(name, option, reader.range))
    }
  }

  private func isCollection(_ type: ReferencedType) -> Bool {
    switch type {
    case .array, .set, .dictionary: true
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func noModel(_ name: String, _ nearest: String?, _ range: SourceRange) -> Self {
    Self(
      .unknownType, at: range, "there is no model '\(name)'",
      help: nearest.map { "did you mean '\($0)'?" }
        ?? "declare '@Model class \(name)' in this schema, or remove '@Relationship' if '\(name)' is a value type",
      fixIts: nearest.map { [.replace(range, with: $0, title: "replace it with '\($0)'")] } ?? [])
  }

  fileprivate static func relationshipOfValue(_ range: SourceRange, _ name: String) -> Self {
    Self(
      .optionNotApplicable, at: range,
      "'@Relationship' applies to models, but the type of '\(name)' is not a model", help: "remove '@Relationship'",
      fixIts: [.remove(range, title: "remove '@Relationship'")])
  }

  fileprivate static func transientRelationship(_ range: SourceRange) -> Self {
    Self(
      .conflictingOptions, at: range, "a '@Transient' property cannot be a relationship",
      fixIts: [.remove(range, title: "remove '@Relationship'")])
  }

  fileprivate static func unstorable(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .unknownType, at: range, "a value of type '\(name)' cannot be stored",
      help: "declare a Codable struct, or mark the property '@Transient'")
  }

  fileprivate static func opaque(
    _ name: String, isNested: Bool, hasValue: Bool, _ range: SourceRange
  ) -> Self {
    let place = isNested ? "declared inside another type" : "not declared in the schema"
    return Self(
      .opaqueCodable, .warning, at: range,
      "type '\(name)' is \(place), so its values are stored as raw values or as JSON",
      help: (SchemaNames.belongsToLibrary(name) && !isNested
        ? "" : "declare it at the top level of the schema, or ")
        + "mark the property '@Attribute(.codable)'"
        + (hasValue ? "" : " and give it a default value or make it optional"))
  }

  fileprivate static func valueless(
    _ name: String, _ type: String, isSwift: Bool, _ range: SourceRange, type typeRange: SourceRange
  ) -> Self {
    let end = SourceRange(file: typeRange.file, start: typeRange.end, end: typeRange.end)
    return Self(
      .opaqueWithoutValue, isSwift ? .warning : .error, at: range,
      "'\(name)' has no value if a row was deleted or cannot be read, because '\(type)' is not in the schema",
      help: (isSwift ? "" : "declare '\(type)' in a schema file, ") + "give it a default value, or make it optional",
      fixIts: [.insert("?", at: end, title: "make it optional")])
  }

  fileprivate static func uniqueCollection(_ range: SourceRange, _ name: String) -> Self {
    Self(
      .collectionAttributeQueried, at: range, "'\(name)' is a collection and cannot be unique",
      help: "make a single value unique")
  }

  fileprivate static func externalStorage(
    _ placed: Placed<AttributeOption>, _ scalar: ScalarType
  ) -> Self {
    Self(
      .externalStorageNonData, at: placed.range,
      "'.externalStorage' applies to 'Data' and 'String', not to '\(scalar.rawValue)'",
      fixIts: [.remove(placed.argument.removalRange, title: "remove '.externalStorage'")])
  }

  static func notApplicable<Value>(
    _ placed: Placed<Value>, _ what: String, needs: String
  ) -> Self {
    Self(
      .optionNotApplicable, at: placed.range, "\(what) applies only to \(needs)",
      fixIts: [.remove(placed.argument.removalRange, title: "remove \(what)")])
  }

  static func conflict(
    _ what: String, _ placed: Placed<AttributeOption>, _ other: SourceRange
  ) -> Self {
    Self(
      .conflictingOptions, at: placed.range,
      "'.\(placed.value.rawValue)' and '\(what)' cannot be combined",
      related: [.init(other, "the other one is here")])
  }

  fileprivate static func preserved(
    _ placed: Placed<AttributeOption>, _ name: String, is what: String, _ other: SourceRange
  ) -> Self {
    Self(
      .preserveTransient, at: placed.range,
      "'\(name)' is \(what), so it has no stored value to preserve",
      related: [.init(other, "\(what) is here")],
      fixIts: [.remove(placed.argument.removalRange, title: "remove '.preserveValueOnDeletion'")])
  }

  fileprivate static func transientNeedsDefault(_ name: String, _ option: String, _ range: SourceRange) -> Self {
    Self(
      .transientNeedsDefault, at: range,
      "'\(option)' property '\(name)' must be optional or have a default value",
      help: "give it a default value; fetched objects start with it")
  }
}
