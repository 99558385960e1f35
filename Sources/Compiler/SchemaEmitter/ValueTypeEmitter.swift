import SchemaDiagnostics
import SchemaModel
import SwiftSource

/// Emits a schema's enums and structs as written, with conformances for storage.
struct ValueTypeEmitter {
  let schema: SchemaPlan

  private var runtime: RuntimeNames { schema.input.runtime }

  func declarations(_ type: ResolvedEnum) -> [Declaration] {
    // The added members are at least as visible as the enum.
    if let swift = type.swift { return [conformance(of: type, swift.access.flatMap(Access.init) ?? .public)] }
    let access = access(of: type.name, type.access)
    var source = CarriedSource(access: schema.rules.carried(in: access))
    source.sendable = .nested
    source.sendableName = runtime.sendable.text
    let text = schema.carried(type.declaration, adapted: source.adapt(type.declaration.text))
    let conformance = conformance(of: type, access)
    return !isCarriedWithModel(type.name)
      ? [documented(text, type.documentation), conformance] : [conformance]
  }

  /// Declares a type `Sendable`, because snapshots send values to other actors. Swift infers the conformance only for
  /// types that are not public.
  func sendability(of type: ResolvedSchema.SwiftType) -> Declaration {
    let names = type.path.map { "\(name: $0)" as Code }
    return .type(
      TypeDeclaration(
        .extension, names.dropFirst().reduce(names[0]) { "\($0).\($1)" }, Heading(),
        inherits: ["@unchecked \(runtime.sendable)"]))
  }

  private func conformance(of type: ResolvedEnum, _ access: Access) -> Declaration {
    var members: [Declaration] = []
    if !type.cases.contains(where: { $0.name == "placeholder" && $0.payload.isEmpty }) {
      members.append(placeholder(type.name, access, value: placeholder(type)))
    }
    if type.rawType != nil {
      members.append(
        .property(
          Property(
            Heading(access, [.static]), "_$rawValuePath", type: "\(runtime.anyKeyPath)",
            accessors: [.get(["\\\(schema.types.own(type.name)).rawValue"])])))
      members.append(
        .property(
          Property(
            Heading(access, [.static]), "_$optionalRawValuePath", type: "\(runtime.anyKeyPath)",
            accessors: [.get(["\\\(schema.types.own(type.name))?.?.rawValue"])])))
    }
    let protocols: [Code] =
      type.rawType == nil
      ? ["\(runtime.columnValue)"] : ["\(runtime.columnValue)", "\(runtime.rawValuePath)"]
    return conformance(type.name, to: protocols, members)
  }

  func declarations(_ type: ResolvedStruct) -> [Declaration] {
    let access = access(of: type.name, type.access)
    var source = CarriedSource(access: schema.rules.carried(in: access))
    source.sendable = .nested
    source.sendableName = runtime.sendable.text
    var text = schema.carried(type.declaration, adapted: source.adapt(type.declaration.text))
    // Swift's synthesized memberwise initializer is never more visible than internal.
    if access > .internal, !source.declaresInitializer, !source.hidesMembers {
      text.members =
        defaults(type).compactMap { $0.value.declaration(schema, access: access) }
        + [.function(memberwise(type, access))]
    }
    let value: Code =
      source.declaresInitializer || source.hidesMembers
      ? runtime.made(for: type.name)
      : Code(
        call: "\(schema.types.own(type.name))",
        type.placeholders.map { field in
          let place = "\(type.name).\(field.name)"
          return "\(label: field.name): \(schema.types.placeholder(field.type, of: place))"
        })
    var members = [placeholder(type.name, access, value: value)]
    let isFlattened = schema.flattenedTypes.contains(type.name)
    if isFlattened {
      members += FlattenedEmitter(type: type, schema: schema, access: access).declarations
    }
    if let decoding = DecodingEmitter(type: type, schema: schema, access: access).initializer {
      members.append(.function(decoding))
    }
    let conformance = conformance(
      type.name, to: ["\(isFlattened ? runtime.flattenedValue : runtime.columnValue)"], members)
    return !isCarriedWithModel(type.name)
      ? [documented(text, type.documentation), conformance] : [conformance]
  }

  /// Returns true if the code that is copied with the model includes the declaration. No code is copied for a released
  /// model.
  private func isCarriedWithModel(_ name: String) -> Bool { owner(of: name) != nil && schema.isHead }

  /// Returns the model that declares a type.
  private func owner(of name: String) -> EntityPlan? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return schema.entities.first { $0.entity.name == name[..<dot] }
  }

  private func access(of name: String, _ written: AccessLevel?) -> Access {
    guard let owner = owner(of: name) else {
      return schema.rules.bound(schema.rules.type(written))
    }
    return max(schema.rules.member(written, in: owner.access), .internal)
  }

  private func documented(_ text: CarriedText, _ documentation: [String]) -> Declaration {
    var text = text
    text.documentation = documentation
    return .carried(text)
  }

  private func conformance(
    _ name: String, to protocols: [Code], _ members: [Declaration]
  ) -> Declaration {
    .type(
      TypeDeclaration(
        .extension, schema.types.path(name),
        Heading(nil, [.nonisolated], attributes: owner(of: name)?.availability ?? []),
        inherits: protocols
      ) { members })
  }

  private func placeholder(_ name: String, _ access: Access, value: Code) -> Declaration {
    .property(
      Property(
        Heading(access, [.static]), "placeholder", type: "\(schema.types.own(name))",
        accessors: [.get([value])]))
  }

  private func placeholder(_ type: ResolvedEnum) -> Code {
    guard let first = type.cases.first(where: \.payload.isEmpty) ?? type.cases.first else {
      return runtime.made(for: type.name)
    }
    if first.payload.isEmpty { return ".\(name: first.name)" }
    let arguments = first.payload.map { field -> Code in
      let value = schema.types.placeholder(field.type, of: "\(type.name).\(first.name)")
      return field.label.map { "\(label: $0): \(value)" } ?? value
    }
    return ".\(name: first.name)(\(list: arguments))"
  }

  private func defaults(_ type: ResolvedStruct) -> [(name: String, value: DefaultPlan)] {
    type.parameters.compactMap { field in
      field.defaultValue.map {
        let owner = schema.types.own(type.name)
        return (
          field.name, DefaultPlan($0, of: field.name, field.type, in: owner, types: schema.types)
        )
      }
    }
  }

  private func memberwise(_ type: ResolvedStruct, _ access: Access) -> Function {
    let fields = type.parameters
    let defaults = Dictionary(
      firstOf: defaults(type).map { ($0.name, $0.value.value) })
    return Function(
      Heading(access), "init",
      fields.map { field -> Code in
        let head: Code = "\(parameter: field.name): \(schema.types.swift(field.type))"
        if let value = defaults[field.name] { return "\(head) = \(value)" }
        return field.type.isOptional && !field.isLet ? "\(head) = nil" : head
      },
      body: fields.map { "self.\(name: $0.name) = \(name: $0.name)" })
  }
}

extension ResolvedStruct {
  /// The fields that a placeholder must set. A field of a type that the schema does not declare is left out if it has a
  /// default value.
  fileprivate var placeholders: [Field] {
    parameters.filter { field in
      if case .opaque = field.type { field.defaultValue == nil } else { true }
    }
  }
}
