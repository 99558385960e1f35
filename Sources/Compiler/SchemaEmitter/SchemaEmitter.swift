import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import SwiftSource

/// Emits Swift files for resolved schemas.
package enum SchemaEmitter {
  /// Returns a target's generated files, in the order that the plugin declares.
  package static func emit(_ input: EmissionInput) -> [GeneratedFile] {
    let lines = input.files.map { LineTable($0) }
    let schemas = input.histories.map { SchemaPlan($0.head, of: $0, input, lines: lines) }
    let released = input.histories.map { ReleasedPlans($0, input, lines: lines) }
    var outputs: [(name: String, file: File)] = []
    for head in HeadFile.all(schemas, input) {
      outputs += [ModelsEmitter(head: head).output, CodecsEmitter(head: head).output]
    }
    if !schemas.isEmpty {
      outputs.append(VersionsEmitter(released: released.flatMap(\.plans), input: input).output)
      outputs.append(StagesEmitter(schemas: schemas, released: released, input: input).output)
    }
    outputs = planned(outputs, MacrosEmitter(input: input).output, input)
    return zip(outputs, File.bytes(outputs.map(\.file))).map { output, bytes in
      GeneratedFile(name: output.name, bytes: bytes)
    }
  }

  /// Returns the files that the build expects. If the build was planned before the first model was added to a Swift
  /// file, it does not expect that file's output, whose contents are then merged into the macro file.
  private static func planned(
    _ outputs: [(name: String, file: File)], _ macros: (name: String, file: File), _ input: EmissionInput
  ) -> [(name: String, file: File)] {
    guard let names = input.planned else { return outputs + [macros] }
    var macros = macros
    var found: [String: File] = [:]
    for (name, file) in outputs {
      if names.contains(name) {
        found[name] = file
      } else {
        for own in file.imports {
          if let index = macros.file.imports.firstIndex(where: { $0.module == own.module }) {
            macros.file.imports[index].access = macros.file.imports[index].access ?? own.access
          } else {
            macros.file.imports.append(own)
          }
        }
        macros.file.parts += file.parts
      }
    }
    return names.filter { $0 != macros.name }.map { name in
      let anchor = FileEmitter.identifier(String(name.dropLast(".swift".count)))
      return (name, found[name] ?? FileEmitter(input: input).file(from: [], anchor: anchor) {})
    } + [macros]
  }
}
