import SchemaDiagnostics
import SchemaModel
import SwiftSource

/// `<Target>+Versions.swift`: the versions of every schema of the target.
struct VersionsEmitter {
  let schemas: [SchemaPlan]
  let input: EmissionInput

  var output: (name: String, file: File) {
    var file = FileEmitter(input: input).file(
      from: schemas.flatMap { $0.schema.files.map(\.path) },
      anchor: FileEmitter.identifier(input.target) + "Versions"
    ) {}
    file.parts = schemas.map { schema in { [.type(versions(schema)), .type(version(schema))] } }
    return (OutputNaming.versions(target: input.target), file)
  }

  private func versions(_ schema: SchemaPlan) -> TypeDeclaration {
    let access = schema.rules.type(nil)
    return TypeDeclaration(
      .enum, "\(name: schema.versionsName)",
      Heading(
        access, [.nonisolated],
        documentation: ["The versions of the schema \(schema.schema.name)."])
    ) {
      TypeDeclaration(.enum, "\(name: schema.versionName)", Heading(access, [.nonisolated]))
      TypeAlias(
        Heading(access, documentation: ["The version the model classes are of."]), "Current",
        "\(name: schema.versionName)")
    }
  }

  // In an extension, because the first name behind an enum may be a raw type: there the compiler
  // looks at a class of the target that is called like the protocol, and at no module name.
  private func version(_ schema: SchemaPlan) -> TypeDeclaration {
    let access = schema.rules.type(nil)
    return TypeDeclaration(
      .extension, "\(name: schema.versionsName).\(name: schema.versionName)",
      Heading(nil, [.nonisolated]), inherits: ["\(Runtime.versionedSchema)"]
    ) {
      models(schema, access)
      identifier(schema, access)
      source(schema, access)
    }
  }

  private func models(_ schema: SchemaPlan, _ access: Access) -> Property {
    let types = schema.entities.map { "\($0.type).self," as Code }
    return Property(
      Heading(access, [.static]), "models", type: "[any \(Runtime.persistentModel).Type]",
      accessors: [.get([types.isEmpty ? "[]" : "[\n  \(lines: types)\n]"])])
  }

  private func identifier(_ schema: SchemaPlan, _ access: Access) -> Property {
    let version = schema.schema.version
    return Property(
      Heading(access, [.static]), "versionIdentifier", type: "\(Runtime.version)",
      accessors: [
        .get(["\(Runtime.version)(\(version.major), \(version.minor), \(version.patch))"])
      ])
  }

  private func source(_ schema: SchemaPlan, _ access: Access) -> Property {
    let paths = Set(schema.schema.files.map(\.path))
    let text = input.files.filter { paths.contains($0.path) }
      .map { $0.text(from: 0, to: $0.bytes.count) }.joined(separator: "\n")
    return Property(
      Heading(access, [.static]), "_$source", type: "\(Runtime.schemaSource)",
      accessors: [
        .get([
          Code(
            call: "\(Runtime.schemaSource)",
            [
              "name: \(literal: schema.schema.name)",
              "fingerprint: \(literal: schema.schema.fingerprint())",
              "text: \(block: text)",
            ])
        ])
      ])
  }
}

/// `<Target>+Stages.swift`: how stores get from one version to the next.
struct StagesEmitter {
  let schemas: [SchemaPlan]
  let input: EmissionInput

  var output: (name: String, file: File) {
    let file = FileEmitter(input: input).file(
      from: schemas.flatMap { $0.schema.files.map(\.path) },
      anchor: FileEmitter.identifier(input.target) + "Stages"
    ) {
      for schema in schemas {
        name(schema)
        plan(schema)
      }
    }
    return (OutputNaming.stages(target: input.target), file)
  }

  private func name(_ schema: SchemaPlan) -> TypeDeclaration {
    TypeDeclaration(
      .enum, "\(name: schema.planName)",
      Heading(
        schema.rules.type(nil), [.nonisolated],
        documentation: ["The way of a store to the current version of \(schema.schema.name)."]))
  }

  private func plan(_ schema: SchemaPlan) -> TypeDeclaration {
    let access = schema.rules.type(nil)
    let current = TypeRef(schema.versionsName, in: input.module).member(schema.versionName)
    return TypeDeclaration(
      .extension, "\(name: schema.planName)", Heading(nil, [.nonisolated]),
      inherits: ["\(Runtime.migrationPlan)"]
    ) {
      Property(
        Heading(access, [.static]), "schemas", type: "[any \(Runtime.versionedSchema).Type]",
        accessors: [.get(["[\(current).self]"])])
      Property(
        Heading(access, [.static]), "stages", type: "[\(Runtime.migrationStage)]",
        accessors: [.get(["[]"])])
    }
  }
}
