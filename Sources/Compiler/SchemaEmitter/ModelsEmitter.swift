import SchemaDiagnostics
import SchemaModel
import SwiftSource

/// The models that a head file declares. A Swift file may contain models of several schemas.
struct HeadFile {
  let path: String
  /// The schemas with models in the file, each with the file's index in that schema.
  let schemas: [(plan: SchemaPlan, file: Int)]
  /// The Swift enums that these models are the first to use. Several schemas may share an enum.
  let swiftEnums: [(plan: SchemaPlan, type: ResolvedEnum)]
  let unsendable: [(plan: SchemaPlan, type: ResolvedSchema.SwiftType)]
  let input: EmissionInput

  /// Returns the head files of all schemas, in schema order.
  static func all(_ plans: [SchemaPlan], _ input: EmissionInput) -> [HeadFile] {
    var seen: Set<String> = []
    var extended: Set<String> = []
    var sendable: Set<[String]> = []
    return plans.flatMap { $0.schema.files.map(\.path) }.filter { seen.insert($0).inserted }.map { path in
      let schemas = plans.flatMap { plan in
        plan.schema.files.indices.filter { plan.schema.files[$0].path == path }.map { (plan, $0) }
      }
      let enums = schemas.flatMap { plan, file in
        plan.schema.enums.filter { $0.swift != nil && $0.file == file }.map { (plan, $0) }
      }
      let types = schemas.flatMap { plan, file in
        plan.schema.unsendable.filter { $0.file == file }.map { (plan, $0) }
      }
      return HeadFile(
        path: path, schemas: schemas,
        swiftEnums: enums.filter { plan, type in extended.insert(plan.types.path(type.name).text).inserted },
        unsendable: types.filter { plan, type in sendable.insert(type.path).inserted }, input: input)
    }
  }

  var stem: String { OutputNaming.stem(of: path) }

  /// Returns a generated file with no declarations.
  func file(_ suffix: String) -> File {
    let access = schemas.map { $0.plan.schema.files[$0.file].importAccess }
    let importsPublicly = ["SwiftData", "Trellis", "Foundation"].contains { module in
      access.contains { $0[module] == .public || $0[module] == .package }
    }
    let emitter = FileEmitter(input: input, importsPublicly: importsPublicly)
    var seen: Set<String> = []
    return emitter.file(
      from: [path], anchor: FileEmitter.identifier(stem) + suffix,
      imports: schemas.flatMap { emitter.imports($0.plan, file: $0.file) }.filter { seen.insert($0.module).inserted }
    ) {}
  }
}

/// `<stem>+Models.swift`: a head file's classes, enums and structs.
struct ModelsEmitter {
  let head: HeadFile

  var output: (name: String, file: File) {
    var file = head.file("Models")
    file.declarations += languageModeCheck.map { [.carried($0)] } ?? []
    file.parts = head.schemas.flatMap { parts($0.plan, $0.file) }
    file.parts += head.swiftEnums.map { plan, type in { ValueTypeEmitter(schema: plan).declarations(type) } }
    file.parts += head.unsendable.map { plan, type in { [ValueTypeEmitter(schema: plan).sendability(of: type)] } }
    return (OutputNaming.models(stem: head.stem), file)
  }

  /// A compile-time check of the target's language mode, which the generator cannot read.
  private var languageModeCheck: CarriedText? {
    guard head.schemas.contains(where: { $0.plan.schema.files[$0.file].assumesLatestMode }) else { return nil }
    let message =
      "'#if swift' around a model is evaluated for the language mode 6, and this target has another one: "
      + "use '#if compiler' in \(head.input.shown(head.path))"
    let check: Code = "#if !swift(>=6)\n  #error(\(literal: message))\n#endif"
    return CarriedText(check.text, path: "", line: 0)
  }

  private func parts(_ schema: SchemaPlan, _ file: Int) -> [() -> [Declaration]] {
    let values = ValueTypeEmitter(schema: schema)
    var placed: [(start: Int, part: () -> [Declaration])] = []
    for plan in schema.entities where plan.entity.file == file {
      let part: () -> [Declaration]
      if plan.isSource {
        let model = SourceModelEmitter(plan: plan, schema: schema)
        part = { model.declarations }
      } else {
        let model = ModelClassEmitter(plan: plan, schema: schema)
        part = { model.declarations }
      }
      placed.append((plan.entity.range.start, part))
    }
    for type in schema.schema.enums where type.file == file && type.swift == nil {
      placed.append((type.range.start, { values.declarations(type) }))
    }
    for type in schema.schema.structs where type.file == file {
      placed.append((type.range.start, { values.declarations(type) }))
    }
    return placed.ordered { $0.start < $1.start }.map(\.part)
  }
}

/// `<stem>+Codecs.swift`: the stored values of a head file's models, and their conversion to and from rows.
struct CodecsEmitter {
  let head: HeadFile

  var output: (name: String, file: File) {
    var file = head.file("Codecs")
    file.parts = head.schemas.flatMap { schema, file in
      schema.entities.filter { $0.entity.file == file }.map { plan in
        { SnapshotEmitter(plan: plan).declarations }
      }
    }
    return (OutputNaming.codecs(stem: head.stem), file)
  }
}
