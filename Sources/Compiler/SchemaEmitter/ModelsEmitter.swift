import SchemaDiagnostics
import SchemaModel
import SwiftSource

/// `<stem>+Models.swift`: the classes, enums and structs of one head file.
struct ModelsEmitter {
  let schema: SchemaPlan
  let file: Int

  var output: (name: String, file: File) {
    let source = schema.schema.files[file]
    let emitter = FileEmitter(input: schema.input)
    var file = emitter.file(
      from: [source.path], anchor: FileEmitter.identifier(source.stem) + "Models",
      imports: emitter.imports(schema, file: file)
    ) {}
    file.parts = parts
    return (OutputNaming.models(stem: source.stem), file)
  }

  private var parts: [() -> [Declaration]] {
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
    for type in schema.schema.enums where type.file == file {
      placed.append((type.range.start, { values.declarations(type) }))
    }
    for type in schema.schema.structs where type.file == file {
      placed.append((type.range.start, { values.declarations(type) }))
    }
    return placed.ordered { $0.start < $1.start }.map(\.part)
  }
}

/// `<stem>+Codecs.swift`: the values of the models of one head file.
struct CodecsEmitter {
  let schema: SchemaPlan
  let file: Int

  var output: (name: String, file: File) {
    let source = schema.schema.files[file]
    let emitter = FileEmitter(input: schema.input)
    var file = emitter.file(
      from: [source.path], anchor: FileEmitter.identifier(source.stem) + "Codecs",
      imports: emitter.imports(schema, file: file)
    ) {}
    file.parts = schema.entities.filter { $0.entity.file == self.file }.map { plan in
      { SnapshotEmitter(plan: plan).declarations }
    }
    return (OutputNaming.codecs(stem: source.stem), file)
  }
}
