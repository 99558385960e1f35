import SchemaModel
import SwiftSource

/// The enums and structs of a schema: as written, plus what makes them values of a store.
struct ValueTypeEmitter {
  let schema: SchemaPlan

  func declarations(_ type: ResolvedEnum) -> [Declaration] {
    let access = schema.rules.bound(schema.rules.type(type.access))
    var source = CarriedSource(access: schema.rules.carried(in: access))
    source.sendable = .nested
    let text = schema.carried(type.declaration, adapted: source.adapt(type.declaration.text))
    var members: [Declaration] = []
    if !type.cases.contains(where: { $0.name == "placeholder" && $0.payload.isEmpty }) {
      members.append(placeholder(type.name, access, value: placeholder(type)))
    }
    if type.rawType != nil {
      members.append(
        .property(
          Property(
            Heading(access, [.static]), "_$rawValuePath", type: "\(Standard.anyKeyPath)",
            accessors: [.get(["\\\(schema.types.own(type.name)).rawValue"])])))
    }
    let protocols: [Code] =
      type.rawType == nil
      ? ["\(Runtime.columnValue)"] : ["\(Runtime.columnValue)", "\(Runtime.rawValuePath)"]
    return [documented(text, type.documentation), conformance(type.name, to: protocols, members)]
  }

  func declarations(_ type: ResolvedStruct) -> [Declaration] {
    let access = schema.rules.bound(schema.rules.type(type.access))
    var source = CarriedSource(access: schema.rules.carried(in: access))
    source.sendable = .nested
    var text = schema.carried(type.declaration, adapted: source.adapt(type.declaration.text))
    // Swift's own memberwise initialiser is never more than internal.
    if access > .internal, !source.declaresInitializer, !source.hidesMembers {
      text.members =
        defaults(type).compactMap { $0.value.declaration(schema, access: access) }
        + [.function(memberwise(type, access))]
    }
    let value: Code =
      source.declaresInitializer || source.hidesMembers
      ? "\(Runtime.placeholder).make()"
      : Code(
        call: "\(schema.types.own(type.name))",
        parameters(type).map { "\(label: $0.name): \(schema.types.placeholder($0.type))" })
    return [
      documented(text, type.documentation),
      conformance(
        type.name, to: ["\(Runtime.columnValue)"], [placeholder(type.name, access, value: value)]),
    ]
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
        .extension, "\(name: name)", Heading(nil, [.nonisolated]),
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
      return "\(Runtime.placeholder).make()"
    }
    if first.payload.isEmpty { return ".\(name: first.name)" }
    let arguments = first.payload.map { field -> Code in
      let value = schema.types.placeholder(field.type)
      return field.label.map { "\(label: $0): \(value)" } ?? value
    }
    return ".\(name: first.name)(\(list: arguments))"
  }

  /// What the memberwise initialiser takes: all but constants that have their value.
  private func parameters(_ type: ResolvedStruct) -> [ResolvedStruct.Field] {
    type.fields.filter { !$0.isLet || $0.defaultValue == nil }
  }

  private func defaults(_ type: ResolvedStruct) -> [(name: String, value: DefaultPlan)] {
    parameters(type).compactMap { field in
      field.defaultValue.map {
        let owner = schema.types.own(type.name)
        return (
          field.name, DefaultPlan($0, of: field.name, field.type, in: owner, types: schema.types)
        )
      }
    }
  }

  private func memberwise(_ type: ResolvedStruct, _ access: Access) -> Function {
    let fields = parameters(type)
    let defaults = Dictionary(
      defaults(type).map { ($0.name, $0.value.value) }, uniquingKeysWith: { first, _ in first })
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
