import SchemaModel
import SchemaVersions
import SwiftSource

/// `<Target>+Stages.swift`: every schema's current version and migration plan.
struct StagesEmitter {
  let schemas: [SchemaPlan]
  /// The released versions for each schema.
  let released: [ReleasedPlans]
  let input: EmissionInput

  private var runtime: RuntimeNames { input.runtime }

  var output: (name: String, file: File) {
    let emitter = FileEmitter(input: input)
    var file = emitter.file(
      from: schemas.flatMap { $0.schema.files.map(\.path) },
      anchor: FileEmitter.identifier(input.target) + "Stages", imports: imports(emitter)
    ) {}
    file.parts = zip(schemas, released).map { schema, released in
      { declarations(schema, released) }
    }
    return (OutputNaming.stages(target: input.target), file)
  }

  /// Returns the imports for fills, the only code in the file that uses types from imported modules.
  private func imports(_ emitter: FileEmitter) -> [File.Import] {
    var seen: Set<String> = []
    return zip(schemas, released).filter { !$1.plans.isEmpty }.flatMap { plan, _ in
      plan.schema.files.indices.flatMap { emitter.imports(plan, file: $0) }
    }.filter { seen.insert($0.module).inserted }
  }

  private func declarations(_ schema: SchemaPlan, _ released: ReleasedPlans) -> [Declaration] {
    // The app itself declares the version of nested models.
    if schema.isNested { return [] }
    let versions = released.plans + [schema]
    let stages = released.history.stages.compactMap { stage -> StageEmitter? in
      guard let from = versions.first(where: { $0.schema.version == stage.from.version }),
        let to = versions.first(where: { $0.schema.version == stage.to.version })
      else { return nil }
      return StageEmitter(stage: stage, from: from, to: to)
    }
    var list: [Declaration] = [
      .type(versionNames(schema, versions)), .type(VersionEmitter(schema: schema).declaration),
    ]
    guard schema.hasPlan else { return list }
    list += [.type(planName(schema)), .type(plan(schema, versions, stages))]
    return list + stages.compactMap(\.scope).map { .type($0) }
  }

  private func versionNames(_ schema: SchemaPlan, _ versions: [SchemaPlan]) -> TypeDeclaration {
    let access = schema.rules.type(nil)
    return TypeDeclaration(
      .enum, "\(name: schema.versionsName)",
      Heading(
        access, [.nonisolated],
        documentation: ["The versions of the schema \(schema.schema.name)."])
    ) {
      for version in versions {
        TypeDeclaration(.enum, "\(name: version.versionName)", Heading(access, [.nonisolated]))
      }
      TypeAlias(
        Heading(access, documentation: ["The version the model classes are of."]), "Current",
        "\(name: schema.versionName)")
    }
  }

  private func planName(_ schema: SchemaPlan) -> TypeDeclaration {
    TypeDeclaration(
      .enum, "\(name: schema.planName)",
      Heading(
        schema.rules.type(nil), [.nonisolated],
        documentation: ["The way of a store to the current version of \(schema.schema.name)."]))
  }

  private func plan(
    _ schema: SchemaPlan, _ versions: [SchemaPlan], _ stages: [StageEmitter]
  ) -> TypeDeclaration {
    let access = schema.rules.type(nil)
    let types = versions.map { "\($0.versionType).self," as Code }
    let list = stages.map { "\($0.value)," as Code }
    let steps = stages.compactMap(\.steps).map { "\($0)," as Code }
    return TypeDeclaration(
      .extension, "\(name: schema.planName)", Heading(nil, [.nonisolated]),
      inherits: ["\(runtime.migrationPlan)"]
    ) {
      Property(
        Heading(access, [.static]), "schemas", type: "[any \(runtime.versionedSchema).Type]",
        accessors: [
          .get([types.count == 1 ? "[\(schema.versionType).self]" : "[\n  \(lines: types)\n]"])
        ])
      Property(
        Heading(access, [.static]), "stages", type: "[\(runtime.migrationStage)]",
        accessors: [.get([list.isEmpty ? "[]" : "[\n  \(lines: list)\n]"])])
      if !steps.isEmpty {
        Property(
          Heading(access, [.static]), "steps", type: "[\(runtime.migrationSteps)]",
          accessors: [.get(["[\n  \(lines: steps)\n]"])])
      }
    }
  }
}
