import SchemaDiagnostics
import SchemaModel
import SwiftSource

/// `<Target>+Versions.swift`: the released versions of all schemas in the target.
///
/// The file depends on the heads only through shared value types, so that editing a head does not recompile it.
struct VersionsEmitter {
  let released: [SchemaPlan]
  let input: EmissionInput

  var output: (name: String, file: File) {
    let emitter = FileEmitter(input: input)
    var file = emitter.file(
      from: released.flatMap { $0.schema.files.map(\.path) },
      anchor: FileEmitter.identifier(input.target) + "Versions",
      imports: imports(emitter)
    ) {}
    file.parts = released.flatMap { plan in parts(plan) }
    return (OutputNaming.versions(target: input.target), file)
  }

  private func imports(_ emitter: FileEmitter) -> [File.Import] {
    var seen: Set<String> = []
    return released.flatMap { plan in
      plan.schema.files.indices.flatMap { emitter.imports(plan, file: $0) }
    }.filter { seen.insert($0.module).inserted }
  }

  private func parts(_ plan: SchemaPlan) -> [() -> [Declaration]] {
    let values = ValueTypeEmitter(schema: plan)
    var parts: [() -> [Declaration]] = []
    for entity in plan.entities {
      parts.append { nested(ModelClassEmitter(plan: entity, schema: plan).declarations, plan) }
      parts.append { SnapshotEmitter(plan: entity).declarations }
    }
    for type in plan.schema.enums where plan.types.homes[type.name] == nil {
      parts.append { nested(values.declarations(type), plan, inside: type.name) }
    }
    for type in plan.schema.structs where plan.types.homes[type.name] == nil {
      parts.append { nested(values.declarations(type), plan, inside: type.name) }
    }
    // Expressions in this version's migration use the type's unqualified name.
    let borrowed = plan.types.homes.filter { !$0.value.isEmpty }.keys.ordered()
    if !borrowed.isEmpty {
      let access = plan.rules.type(nil)
      parts.append {
        nested(
          borrowed.map { .alias(TypeAlias(Heading(access), "\(name: $0)", "\(plan.types.own($0))")) }, plan)
      }
    }
    parts.append { [.type(VersionEmitter(schema: plan).declaration)] }
    return parts
  }

  /// Nests types in the version's enum. Extensions remain at file level and use the full name.
  ///
  /// - Parameter name: The name of a type that may be nested in a model.
  private func nested(
    _ declarations: [Declaration], _ plan: SchemaPlan, inside name: String = ""
  ) -> [Declaration] {
    var inside: [Declaration] = []
    var beside: [Declaration] = []
    for declaration in declarations {
      if case .type(let type) = declaration, type.kind == .extension {
        beside.append(declaration)
      } else {
        inside.append(declaration)
      }
    }
    guard !inside.isEmpty else { return beside }
    let version = "\(name: plan.versionsName).\(name: plan.versionName)" as Code
    let owners = name.parts(separatedBy: ".").dropLast()
    let scope = TypeDeclaration(
      .extension, owners.reduce(version) { "\($0).\(name: String($1))" },
      Heading(nil, [.nonisolated])
    ) { inside }
    return [.type(scope)] + beside
  }
}

/// Emits the members that describe a version.
struct VersionEmitter {
  let schema: SchemaPlan

  private var runtime: RuntimeNames { schema.input.runtime }

  // The conformance is in an extension, because the first name in an enum's inheritance clause may be a raw type. In
  // that position, the compiler ignores the module name and prefers a class in the target with the protocol's name.
  var declaration: TypeDeclaration {
    let access = schema.rules.type(nil)
    return TypeDeclaration(
      .extension, "\(name: schema.versionsName).\(name: schema.versionName)",
      Heading(nil, [.nonisolated]), inherits: ["\(runtime.versionedSchema)"]
    ) {
      models(access)
      identifier(access)
      source(access)
      for alias in aliases(access) { alias }
    }
  }

  /// Returns aliases that give the current types the names that they will have as a released version, so that a
  /// migration's functions remain valid after the release.
  private func aliases(_ access: Access) -> [TypeAlias] {
    guard schema.isHead, schema.hasReleases else { return [] }
    let models = schema.entities.map { ($0.entity.name, $0.access, $0.availability) }
    let values =
      schema.schema.enums.filter { $0.swift == nil }.map { ($0.name, $0.access) }
      + schema.schema.structs.map { ($0.name, $0.access) }
    let own = values.filter { !$0.0.contains(".") }.map { ($0.0, schema.rules.type($0.1), [] as [Code]) }
    return (models + own).map { name, level, attributes in
      TypeAlias(
        Heading(min(schema.rules.bound(level), access), attributes: attributes), "\(name: name)",
        "\(schema.types.qualified(name))")
    }
  }

  private func models(_ access: Access) -> Property {
    let types = schema.entities.map { "\($0.type).self," as Code }
    return Property(
      Heading(access, [.static]), "models", type: "[any \(runtime.persistentModel).Type]",
      accessors: [.get([types.isEmpty ? "[]" : "[\n  \(lines: types)\n]"])])
  }

  private func identifier(_ access: Access) -> Property {
    let version = schema.schema.version
    return Property(
      Heading(access, [.static]), "versionIdentifier", type: "\(runtime.version)",
      accessors: [
        .get(["\(runtime.version)(\(version.major), \(version.minor), \(version.patch))"])
      ])
  }

  private func source(_ access: Access) -> Property {
    let paths = Set(schema.schema.files.map(\.path))
    let text = schema.input.files.filter { paths.contains($0.path) }
      .map { $0.text(from: 0, to: $0.bytes.count) }.joined(separator: "\n")
    return Property(
      Heading(access, [.static]), "_$source", type: "\(runtime.schemaSource)",
      accessors: [
        .get([
          Code(
            call: "\(runtime.schemaSource)",
            [
              "name: \(literal: schema.schema.name)",
              "fingerprint: \(literal: schema.fingerprint)",
              "text: \(block: text)",
            ] + (schema.isHead && schema.hasReleases ? ["hasReleases: true"] : []))
        ])
      ])
  }
}
