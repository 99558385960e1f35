import SchemaModel
import SwiftSource

/// Emits a model's stored values and their conversion to and from rows.
struct SnapshotEmitter {
  let plan: EntityPlan

  var declarations: [Declaration] {
    let codec = plan.parent == nil ? codec(of: plan.snapshot, rootMembers) : nil
    if let codec { return [.type(type), .type(codec)] }
    return [
      .type(type), .type(self.codec(of: plan.ownValues, ownMembers)),
      .type(self.codec(of: plan.snapshot, derivedMembers)),
    ]
  }

  private var runtime: RuntimeNames { plan.runtime }
  private var access: Access { plan.memberAccess }
  private var heading: Heading { Heading(access) }
  /// The heading of functions that client modules may call. An attribute prevents inlined copies in protocol
  /// witnesses.
  private var called: Heading {
    Heading(access, attributes: access > .internal ? ["@inline(never)"] : [])
  }

  // MARK: The values

  private var type: TypeDeclaration {
    TypeDeclaration(
      .extension, plan.path,
      Heading(nil, [.nonisolated], attributes: plan.availability)
    ) {
      TypeDeclaration(
        .struct, "Snapshot",
        Heading(
          access, [.nonisolated],
          documentation: ["The stored values of a `\(plan.entity.name)`, safe to send anywhere."]),
        inherits: ["\(plan.parent == nil ? runtime.modelSnapshot : runtime.derivedSnapshot)"]
      ) {
        if let parent = plan.parent {
          Property(heading, "base", type: "\(parent.snapshot)")
          Property(heading, "own", type: "\(plan.ownValues)")
          Property(
            heading, "persistentIdentifier", type: "\(runtime.persistentIdentifier)",
            accessors: [
              .get(["base.persistentIdentifier"]), .modify(["yield &base.persistentIdentifier"]),
            ])
          TypeDeclaration(
            .struct, "OwnValues",
            Heading(
              access, [.nonisolated],
              documentation: ["What a `\(plan.entity.name)` stores beyond what it inherits."]),
            inherits: ["\(runtime.sendable)"]
          ) { fields }
        } else {
          // An internal property under a different name keeps Swift's memberwise initializer internal. No other
          // initializer avoids a final copy of the whole struct.
          Property(Heading(), "_$identifier", type: "\(runtime.persistentIdentifier)")
          fields
          Property(
            heading, "persistentIdentifier", type: "\(runtime.persistentIdentifier)",
            accessors: [.get(["_$identifier"]), .modify(["yield &_$identifier"])])
        }
      }
    }
  }

  private var fields: [Declaration] {
    plan.fields.map { field in
      .property(
        Property(
          Heading(min(max(field.access, .internal), access)), "\(name: field.fieldName)",
          type: "\(field.fieldType)", value: field.isOptionalField ? nil : field.placeholder))
    }
  }

  private func codec(of type: TypeRef, _ members: [Declaration]) -> TypeDeclaration {
    // Use an extension, because a struct that declares an initializer loses the memberwise initializer.
    TypeDeclaration(
      .extension, "\(plan.path).\(typeName(type))",
      Heading(nil, [.nonisolated], attributes: plan.availability)
    ) { members }
  }

  private func typeName(_ type: TypeRef) -> Code {
    type == plan.snapshot ? "Snapshot" : "Snapshot.OwnValues"
  }

  // MARK: Rows

  @DeclarationBuilder private var rootMembers: [Declaration] {
    SnapshotInitializer(plan: plan).declaration
    read(
      heading, throwing: plan.readsThrow,
      ["_$identifier: row.identifier"] + plan.fields.map(readField))
    write(called, plan.fields.map(writeField))
    placeholder(["_$identifier: identifier"])
    Function(
      heading, "init", ["of model: \(plan.type)"], body: ["self = model._$values"])
    makeModel
    restore(["model._$values = self"])
    loadedProperties
    relationships
  }

  @DeclarationBuilder private var ownMembers: [Declaration] {
    read(Heading(), throwing: plan.ownReadsThrow, plan.fields.map(readField))
    write(Heading(), plan.fields.map(writeField))
  }

  @DeclarationBuilder private var derivedMembers: [Declaration] {
    if let parent = plan.parent {
      SnapshotInitializer(plan: plan).declaration
      read(
        heading, throwing: plan.readsThrow,
        [
          "base: \(parent.readsThrow ? "try " : "")\(parent.snapshot)(from: &row)",
          "own: \(plan.ownReadsThrow ? "try " : "")\(plan.ownValues)(from: &row)",
        ])
      write(called, ["try base.write(to: &row)", "try own.write(to: &row)"])
      placeholder([
        "base: \(parent.snapshot)(placeholder: identifier)", "own: \(plan.ownValues)()",
      ])
      Function(
        heading, "init", ["of model: \(plan.type)"],
        body: [
          "base = \(parent.snapshot)(of: model)", "own = model.\(name: plan.storage)",
        ])
      makeModel
      restore(["base.restore(model)", "model.\(name: plan.storage) = own"])
    }
    loadedProperties
    relationships
  }

  private func read(_ heading: Heading, throwing: Bool, _ arguments: [Code]) -> Function {
    Function(
      heading, "init", ["from row: inout \(runtime.statementRow)"],
      suffix: throwing ? " throws" : "", body: [Code(call: "self.init", arguments)])
  }

  private func write(_ heading: Heading, _ body: [Code]) -> Function {
    Function(
      heading, "func write", ["to row: inout \(runtime.statementBinder)"], suffix: " throws",
      body: body)
  }

  private func placeholder(_ arguments: [Code]) -> Function {
    Function(
      called, "init", ["placeholder identifier: \(runtime.persistentIdentifier)"],
      body: [Code(call: "self.init", arguments)])
  }

  private var makeModel: Function {
    Function(
      heading, "consuming func makeModel", suffix: " -> \(plan.type)",
      body: ["\(plan.type)(_$values: self)"])
  }

  private func restore(_ body: [Code]) -> Function {
    Function(heading, "func restore", ["_ model: \(plan.type)"], body: body)
  }

  private func readField(_ field: PropertyPlan) -> Code {
    let label: Code = "\(label: field.fieldName):"
    switch field.role {
    case .attribute(let slot, let coding):
      let read: Code = "row.\(field.reader)(\(slot)\(form(of: field, coding)))"
      let call: Code =
        field.unknownValue.map { "row.tolerating(\($0)) { row in try \(read) }" }
        ?? "\(field.readsThrow ? "try " : "")\(read)"
      guard field.mayBeIsolated else { return "\(label) \(call)" }
      return "\(label) \(field.readsThrow ? "try " : "")\(runtime.read)(&row) { row in \(call) }"
    case .toOne(let slot, _): return "\(label) row.reference(\(slot))"
    case .toMany(let slot, _): return "\(label) row.references(\(slot))"
    case .ephemeral, .transient: return ""
    }
  }

  private func writeField(_ field: PropertyPlan) -> Code {
    let value: Code = "self.\(name: field.fieldName)"
    switch field.role {
    case .attribute(let slot, let coding):
      let form = form(of: field, coding)
      guard field.mayBeIsolated else { return "try row.\(field.writer)(\(slot), \(value)\(form))" }
      return "try \(runtime.write)(&row, \(value)) { row, value in try row.\(field.writer)(\(slot), value\(form)) }"
    case .toOne(let slot, _): return "try row.reference(\(slot), \(value))"
    case .toMany(let slot, _): return "try row.references(\(slot), \(value))"
    case .ephemeral, .transient: return ""
    }
  }

  /// Returns the arguments of row functions that follow the slot and the value.
  private func form(of field: PropertyPlan, _ coding: PropertyPlan.Coding) -> Code {
    if case .automatic = coding { ", .of((\(field.optionalType)).self)" } else { coding.argument }
  }

  // MARK: Relationships by slot

  @DeclarationBuilder private var relationships: [Declaration] {
    if plan.hasReferences {
      bySlot(
        "reference", "setReference", "identifier", plan.ownReferences,
        .optional(runtime.persistentIdentifier))
      setReference
      reference
    }
    if plan.hasLists {
      bySlot(
        "references", "setReferences", "identifiers", plan.ownLists,
        .optional(.array(runtime.persistentIdentifier)))
    }
  }

  private var valuePrefix: Code { plan.parent == nil ? "self" : "own" }

  private func bySlot(
    _ name: Code, _ setter: Code, _ value: Code, _ fields: [PropertyPlan], _ type: TypeRef
  ) -> [Declaration] {
    let isRoot = plan.parent == nil
    let get = fields.map { ($0, "\(valuePrefix).\(name: $0.fieldName)" as Code) }
    let set = fields.map { ($0, "\(valuePrefix).\(name: $0.fieldName) = \(value)" as Code) }
    return [
      .function(
        Function(
          heading, "func \(name)", ["_ slot: \(runtime.int)"], suffix: " -> \(type)",
          body: choice(get, otherwise: isRoot ? "nil" : "base.\(name)(slot)"))),
      .function(
        Function(
          Heading(access, [.mutating]), "func \(setter)",
          ["_ slot: \(runtime.int)", "to \(value): \(type)"],
          body: choice(set, otherwise: isRoot ? "break" : "base.\(setter)(slot, to: \(value))"))),
    ]
  }

  private var setReference: Function {
    Function(
      Heading(access, [.static]), "func setReference",
      [
        "_ slot: \(runtime.int)", "of model: \(plan.type)",
        "to identifier: \(runtime.persistentIdentifier)?",
      ],
      body: slots(
        root: "model._$values.setReference(slot, to: identifier)", assigning: " = identifier",
        inherited: { "\($0).setReference(slot, of: model, to: identifier)" }, otherwise: "break"))
  }

  private var reference: Function {
    Function(
      Heading(access, [.static]), "func reference",
      ["_ slot: \(runtime.int)", "of model: \(plan.type)"],
      suffix: " -> \(runtime.persistentIdentifier)?",
      body: slots(
        root: "model._$values.reference(slot)", assigning: "",
        inherited: { "\($0).reference(slot, of: model)" }, otherwise: "nil"))
  }

  private func slots(
    root: Code, assigning: Code, inherited: (TypeRef) -> Code, otherwise: Code
  ) -> [Code] {
    guard let parent = plan.parent else { return [root] }
    let own = plan.ownReferences.map {
      ($0, "model.\(name: plan.storage).\(name: $0.fieldName)\(assigning)" as Code)
    }
    return choice(own, otherwise: parent.hasReferences ? inherited(parent.snapshot) : otherwise)
  }

  private func choice(_ cases: [(PropertyPlan, Code)], otherwise: Code) -> [Code] {
    if cases.isEmpty { return [otherwise] }
    let lines = cases.map { "case \($0.0.slot ?? -1): \($0.1)" as Code } + ["default: \(otherwise)"]
    return ["switch slot {\n\(lines: lines)\n}"]
  }
}

extension PropertyPlan.Coding {
  /// The row function's name.
  var name: Code {
    switch self {
    case .value: "value"
    case .codable: "codable"
    case .raw: "raw"
    case .automatic: "automatic"
    case .transformed: "transformed"
    case .external: "external"
    case .flattened: "flattened"
    }
  }

  /// The transformer argument.
  fileprivate var argument: Code {
    guard case .transformed(let text) = self else { return "" }
    return text.hasPrefix("\"")
      ? ", by: .named(\(carried: text))" : ", by: .type(\(carried: text))"
  }
}
