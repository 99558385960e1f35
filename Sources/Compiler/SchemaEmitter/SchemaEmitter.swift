import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import SwiftSource

/// From resolved schemas to Swift files.
package enum SchemaEmitter {
  /// Every generated file of a target, in the order the plugin declares them.
  package static func emit(_ input: EmissionInput) -> [GeneratedFile] {
    let lines = input.files.map { LineTable($0) }
    let schemas = input.histories.map { SchemaPlan($0.head, of: $0, input, lines: lines) }
    let released = input.histories.map { ReleasedPlans($0, input, lines: lines) }
    var outputs: [(name: String, file: File)] = []
    for schema in schemas {
      for file in schema.schema.files.indices {
        outputs.append(ModelsEmitter(schema: schema, file: file).output)
        outputs.append(CodecsEmitter(schema: schema, file: file).output)
      }
    }
    for file in input.filesWithoutModels {
      let emitter = FileEmitter(input: input)
      for name in [OutputNaming.models(stem: file.stem), OutputNaming.codecs(stem: file.stem)] {
        let anchor = FileEmitter.identifier(String(name.dropLast(".swift".count)))
        outputs.append((name, emitter.file(from: [file.path], anchor: anchor) {}))
      }
    }
    if !input.histories.isEmpty || !input.filesWithoutModels.isEmpty {
      outputs.append(VersionsEmitter(released: released.flatMap(\.plans), input: input).output)
      outputs.append(StagesEmitter(schemas: schemas, released: released, input: input).output)
    }
    outputs.append(MacrosEmitter(input: input).output)
    return zip(outputs, File.bytes(outputs.map(\.file))).map { output, bytes in
      GeneratedFile(name: output.name, bytes: bytes)
    }
  }
}
