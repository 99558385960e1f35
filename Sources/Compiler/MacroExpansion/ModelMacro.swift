import SwiftSource

/// `@Model`: a model class's storage and the overrides in a subclass.
///
/// The build plugin generates an extension with the members that depend on other declarations in the module: the
/// snapshot, the accessors `_$property_name` and the metadata. The storage is here, because extensions cannot contain
/// stored properties.
enum ModelMacro {
  static func expansion(_ request: AttachedRequest) throws(MacroError) -> String {
    let declaration = DeclarationSyntax(request.declSyntax.source, isResolved: request.macroRole == "member")
    switch request.macroRole {
    case "member":
      guard declaration.keyword == "class" else {
        throw MacroError(
          "'@Model' needs a class; write 'class' instead of '\(declaration.keyword)'", at: declaration.keywordRange)
      }
      let isRoot = request.addsConformance || declaration.statesConformance
      // A subclass inherits its superclass's initializers.
      guard !isRoot || declaration.declaresInitializer else {
        throw MacroError("'@Model' needs an initializer in '\(declaration.name)'", at: declaration.keywordRange)
      }
      return members(of: declaration, isRoot: isRoot).text
    case "memberAttribute":
      let model = request.parentDeclSyntax.map { DeclarationSyntax($0.source, isResolved: true) }
      return attribute(of: declaration, in: model)
    case "extension":
      guard let type = request.extendedTypeSyntax?.source else { return "" }
      return ("\(lines: extensions(of: "\(carried: type)", declaration, request))" as Code).text
    default: return ""
    }
  }

  /// Returns the macro for a stored property, an initializer or the deinitializer.
  private static func attribute(of member: DeclarationSyntax, in model: DeclarationSyntax?) -> String {
    let arguments = model?.hasSuperclass == true ? "(hasSuperclass: true)" : ""
    return switch member.keyword {
    case _ where member.isPersisted: "@_PersistedProperty" + arguments
    case "init" where !member.modifiers.contains("convenience"): "@_ModelInitializer" + arguments
    case "deinit": "@_ModelDeinitializer"
    default: ""
    }
  }

  /// Returns the conformance to `PersistentModel`, and an unavailable conformance to `Sendable`. The latter is omitted
  /// if the app states the conformance or if an actor isolates the class.
  private static func extensions(
    of type: Code, _ declaration: DeclarationSyntax, _ request: AttachedRequest
  ) -> [Code] {
    let isRoot = request.addsConformance || declaration.statesConformance
    let unavailable: Code = """
      @available(*, unavailable, message: "\(carried: ModelNames.unsendable)")
      extension \(type): @unchecked Swift::Sendable {}
      """
    return (request.addsConformance ? ["nonisolated extension \(type): Trellis::PersistentModel {}"] : [])
      + (isRoot && request.misses("Sendable") ? [unavailable] : [])
  }

  private static func members(of model: DeclarationSyntax, isRoot: Bool) -> Code {
    // The class may be isolated by an attribute, the superclass or a protocol. Stores and contexts are not isolated.
    let level: Code = model.memberAccess.map { "\(carried: $0) " } ?? ""
    let access: Code = "\(level)nonisolated "
    let storage: Code = "@exclusivity(unchecked) \(level)nonisolated(unsafe) final var"
    let name: Code = "\(name: model.name)"
    let own: Code = "\(carried: ModelNames.own(model.name))"
    let override: Code = isRoot ? "" : "override "
    let hasSuperclass = model.hasSuperclass
    let assigned: [Code] =
      hasSuperclass
      ? model.declarations.filter { $0.isPersisted && !$0.isEphemeral }.map {
        "\(carried: ModelNames.assigned($0.name)) = ()"
      } : []
    let initial: Code = hasSuperclass ? " = \(name)._$blankValues_\(carried: model.name)" : ""
    var members: [Code] = isRoot ? ["\(storage) _$state = Trellis::ModelState()"] : []
    members += [
      "private typealias _$Plugin = _$AddThePluginGenerateModelsToTheTarget",
      "\(storage) \(own): \(name).\(isRoot ? "Snapshot" : "Snapshot.OwnValues")\(initial)",
      "final var \(carried: ModelNames.pending(model.name)): [(\(name)) -> Swift::Void] = []",
    ]
    if isRoot {
      members += [
        """
        \(access)final var _$values: \(name).Snapshot {
          get { \(own) }
          _modify { yield &\(own) }
        }
        """,
        """
        \(access)init(_$values values: \(name).Snapshot) {
          \(lines: ["\(own) = values"] + assigned)
        }
        """,
        """
        \(access)required init(backingData: any Trellis::BackingData<\(name)>) {
          \(lines: ["\(own) = \(name)._$definition.values(of: backingData)"] + assigned)
        }
        """,
      ]
    } else {
      members += [
        """
        \(access)init(_$values values: \(name).Snapshot) {
          \(lines: ["\(own) = values.own"] + assigned)
          super.init(_$values: values.base)
        }
        """,
        """
        \(access)required init(backingData: any Trellis::BackingData<Root>) {
          let values: \(name).Snapshot = \(name)._$definition.values(of: backingData)
          \(lines: ["\(own) = values.own"] + assigned)
          super.init(_$values: values.base)
        }
        """,
      ]
    }
    if !model.declaresDeinitializer { members.append("deinit { \(ModelNames.close) }") }
    members += [
      "\(access)\(override)class var _$definition: Trellis::ModelDefinition { _$definition_\(carried: model.name) }",
      """
      \(access)\(override)class var schemaMetadata: [Trellis::Schema.PropertyMetadata] {
        Trellis::GeneratedCode1.unisolated { _$metadata_\(carried: model.name) }
      }
      """,
    ]
    return "\(lines: members)"
  }
}

/// The names of a model's storage, which must match the generator's names.
enum ModelNames {
  static let close: Code = "_$state.close(_$values._$identifier)"
  static let unsendable = "models belong to their context: send persistentModelID or a snapshot instead"

  /// Returns the name of the storage for a class's own values.
  static func own(_ model: String) -> String { "_$own_" + model }
  /// Returns the name of the storage for relationships that an initializer assigns before it calls `super.init`.
  static func pending(_ model: String) -> String { "_$pending_" + model }
  /// Returns the name of a zero-sized property that tells the compiler that a persisted property has been initialized.
  static func assigned(_ property: String) -> String { "_$assigned_" + property }
}

extension AttachedRequest {
  /// True if neither the type nor a superclass conforms yet.
  fileprivate var addsConformance: Bool { misses("PersistentModel") }

  fileprivate func misses(_ conformance: String) -> Bool {
    conformanceListSyntax?.source.contains(conformance) == true
  }
}
