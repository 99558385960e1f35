import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SchemaVersions
import SwiftSource

/// Emits a stage of a migration plan.
struct StageEmitter {
  let stage: PlannedStage
  let from: SchemaPlan
  let to: SchemaPlan

  private var runtime: RuntimeNames { to.input.runtime }

  private var versions: [Code] {
    ["fromVersion: \(from.versionType).self", "toVersion: \(to.versionType).self"]
  }

  var value: Code { ".lightweight(\(list: versions))" }

  /// The steps that assign values or call custom code; `nil` for a lightweight stage.
  var steps: Code? {
    guard !stage.isLightweight else { return nil }
    let steps = (fills + dedupes + customs + acceptances).map { "\($0)," as Code }
    return "\(runtime.migrationSteps)(\n  \(list: versions),\n  [\n    \(lines: steps)\n  ]\n)"
  }

  private var fills: [Code] {
    stage.fillings.map { filling in
      let names = filling.fills.map { "\(literal: $0.property)" as Code }
      return
        ".fill(\(old(filling)).self, \(new(filling)).self, [\(list: names)], \(to.versionType).\(function(filling)))"
    }
  }

  private var dedupes: [Code] {
    stage.dedupes.map { dedupe in
      let names = dedupe.properties.map { "\(literal: $0)" as Code }
      return
        ".dedupe(\(to.types.own(dedupe.entity)).self, on: [\(list: names)], keep: .\(name: dedupe.keep.rawValue))"
    }
  }

  private var customs: [Code] {
    stage.customs.map { ".custom(\(literal: $0.name), \(to.versionType).\(function($0)))" }
  }

  /// The step that permits discarding the former values of properties. Without it, the store would refuse to migrate.
  /// Not needed if there are custom steps, which are expected to handle these properties.
  private var acceptances: [Code] {
    guard !stage.lettingGo.isEmpty, stage.customs.isEmpty else { return [] }
    return [".accept([\(list: stage.lettingGo.map { "\(literal: $0)" as Code })])"]
  }

  /// The functions that fill rows or call custom steps, nested in their version, so that names in them refer to that
  /// version's types even after the head changes.
  var scope: TypeDeclaration? {
    guard !stage.fillings.isEmpty || !stage.customs.isEmpty else { return nil }
    return TypeDeclaration(
      .extension, "\(name: to.versionsName).\(name: to.versionName)", Heading(nil, [.nonisolated])
    ) { functions + calls }
  }

  /// Calls to the app's custom steps, located at the schema lines that name them.
  private var calls: [Declaration] {
    stage.customs.map { custom in
      .function(
        Function(
          Heading(.fileprivate, [.static]), "func \(function(custom))", ["_ migration: \(runtime.migrationRows)"],
          suffix: " throws",
          body: [
            located("try \(to.input.names.own(to.planName)).\(name: custom.name)(migration)", custom.source)
          ]))
    }
  }

  private var functions: [Declaration] {
    stage.fillings.map { filling in
      let entity = to.entities.first { $0.entity.name == filling.newEntity }
      return .function(
        Function(
          Heading(.fileprivate, [.static]), "func \(function(filling))",
          ["_ old: \(old(filling))", "_ new: inout \(new(filling))"], suffix: " throws",
          body: filling.fills.map { assignment($0, entity, loaded(filling)) }))
    }
  }

  private func old(_ filling: PlannedStage.Filling) -> TypeRef {
    from.types.own(filling.oldEntity).member("Snapshot")
  }

  private func new(_ filling: PlannedStage.Filling) -> TypeRef {
    to.types.own(filling.newEntity).member("Snapshot")
  }

  private func function(_ filling: PlannedStage.Filling) -> Code {
    "\(name: "_$fill_" + filling.newEntity)"
  }

  private func function(_ custom: MigrationCustom) -> Code {
    "\(name: "_$custom_" + custom.name)"
  }

  private func assignment(_ fill: MigrationFill, _ entity: EntityPlan?, _ loaded: Set<String>) -> Code {
    let property = entity?.allProperties.first { $0.name == fill.property }
    let field: Code = "new.\(name: property?.fieldName ?? fill.property)"
    let value: Code = "\(carried: fill.value.text)"
    let effect: Code = Self.needsTry(fill.value.text, loaded) ? "try " : ""
    let stored: Code = "\(effect)\(property?.stored(value) ?? value)"
    return located("\(field) = \(stored)", fill.value)
  }

  /// Places code on a schema file's line, so that the compiler reports errors there. A released version is known to
  /// compile, so a comment with the origin is enough.
  private func located(_ code: Code, _ text: SwiftText) -> Code {
    let path = to.path(ofFile: text.file)
    guard !path.isEmpty else {
      let place = "\(to.input.shown(to.schema.files[text.file].path)):\(text.line)"
      return "// \(carried: place)\n\(code)"
    }
    return "#sourceLocation(file: \(literal: path), line: \(text.line))\n\(code)\n#sourceLocation()"
  }

  /// Returns the old row's properties whose getters can throw, because they read files.
  private func loaded(_ filling: PlannedStage.Filling) -> Set<String> {
    let entity = from.entities.first { $0.entity.name == filling.oldEntity }
    return Set(entity?.allProperties.filter(\.isLoaded).map(\.name) ?? [])
  }

  /// Returns true if an expression reads a throwing property and does not handle the error. An expression that
  /// contains `try` is unchanged, because Swift warns about a second `try`.
  private static func needsTry(_ text: String, _ loaded: Set<String>) -> Bool {
    guard !loaded.isEmpty else { return false }
    let file = SourceFile(path: "", text: text)
    let words = Lexer.lex(file, index: 0).0.map { file.text(from: Int($0.start), to: Int($0.end)) }
    // `try` is not valid before `if` and `switch` expressions.
    guard !words.contains("try"), words.first != "if", words.first != "switch" else { return false }
    return words.indices.dropFirst(2).contains { index in
      words[index - 2] == "old" && words[index - 1] == "."
        && loaded.contains(words[index].filter { $0 != "`" })
    }
  }
}
