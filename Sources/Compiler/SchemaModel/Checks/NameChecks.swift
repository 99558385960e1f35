import SchemaDiagnostics

/// Checks a schema's names for conflicts with generated code and stores.
struct NameChecks {
  /// Members of every model class, and names that no member can have.
  ///
  /// Protocol extension members such as `id` and `isDeleted` are not included: a model may declare its own, and
  /// `(model as any PersistentModel).isDeleted` still refers to the extension.
  static let reservedMembers = "schemaMetadata persistentBackingData hashValue self Type Protocol init".words

  /// Types nested in every model. A property cannot have the same name, because `\\Trip.Root` refers to the type.
  static let memberTypes: Set<String> = ["Root", "ID"]

  /// Names that a nested Swift type cannot have. A version's types are nested.
  static let reservedTypes = "Type Protocol Self self Any".words

  static func check(_ schema: ResolvedSchema) -> [Diagnostic] {
    checkTypes(schema) + checkProperties(schema) + CaseDifferences.check(schema)
  }

  /// True for keywords written without backticks, which the parser has already reported.
  private static func isReported(_ name: String, _ range: SourceRange) -> Bool {
    ["Self", "self", "Any", "init"].contains(name) && range.end - range.start == name.utf8.count
  }

  private static func checkTypes(_ schema: ResolvedSchema) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let generated = Set(GeneratedTypes.names(ofSchema: schema.name))
    func check(_ name: String, _ range: SourceRange) {
      if reservedTypes.contains(name), !isReported(name, range) {
        diagnostics.append(schema.scope == nil ? .reservedType(name, range) : .reservedModel(name, range))
      }
      if generated.contains(name) { diagnostics.append(.generatedType(name, range)) }
    }
    for index in schema.entities.indices { check(schema.entities[index].name, schema.entities[index].range) }
    for index in schema.enums.indices { check(schema.enums[index].name, schema.enums[index].range) }
    for index in schema.structs.indices { check(schema.structs[index].name, schema.structs[index].range) }
    return diagnostics
  }

  private static func checkProperties(_ schema: ResolvedSchema) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for index in schema.entities.indices {
      let properties = schema.entities[index].properties
      for place in properties.indices {
        let (name, range) = (properties[place].name, properties[place].range)
        if reservedMembers.contains(name) || name.utf8.starts(with: "_$".utf8), !isReported(name, range) {
          diagnostics.append(.reservedMember(name, range))
        }
        if memberTypes.contains(name) { diagnostics.append(.memberType(name, range)) }
        if name == "Snapshot" { diagnostics.append(.snapshotProperty(range)) }
      }
    }
    return diagnostics
  }
}

extension Diagnostic {
  fileprivate static func reservedMember(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .reservedMember, at: range,
      name.hasPrefix("_$")
        ? "names that begin with '_$' are reserved for generated code"
        : "every model already has a member '\(name)'",
      help: renaming(name))
  }

  /// Returns the help text for messages about properties.
  private static func renaming(_ name: String) -> String {
    "choose a different name, and keep the stored name with '@Attribute(originalName: \"\(name)\")'"
  }

  fileprivate static func memberType(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .reservedMember, at: range, "every model already has a nested type '\(name)'",
      help: renaming(name))
  }

  fileprivate static func reservedType(_ name: String, _ range: SourceRange) -> Self {
    Self(.reservedMember, at: range, "'\(name)' cannot be the name of a nested type")
  }

  /// Used for a Swift file, where the type is at the top level.
  fileprivate static func reservedModel(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .reservedMember, at: range,
      "'\(name)' cannot be the name of a schema type, because released versions nest their types",
      help: "choose a different name")
  }

  fileprivate static func generatedType(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range, "'\(name)' is the name of a type generated for the schema",
      help: "choose a different name")
  }

  fileprivate static func snapshotProperty(_ range: SourceRange) -> Self {
    Self(
      .generatedNameClash, at: range,
      "'Snapshot' is the name of a type generated in every model",
      help: "choose a different name")
  }
}
