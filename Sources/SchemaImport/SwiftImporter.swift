package import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// From Swift source with SwiftData's models to schema files.
///
/// The text of a model is taken over as it is, since a schema is written in the same syntax. What the
/// compiler of schemas does not take becomes a comment, and is reported.
package enum SwiftImporter {
  /// - Parameter name: of the schema.
  package static func run(_ sources: [SourceFile], name: String) -> ImportResult {
    let files = sources.map { SwiftFile($0) }
    let declarations = files.enumerated().flatMap { SwiftScan($1, index: $0).declarations }
    let found = SwiftVersions(declarations, files)
    let library = TypeLibrary(declarations, files, versions: found.versions.map(\.name))
    let unread = UnreadModels.notes(files, declarations, library)
    guard declarations.contains(where: { $0.kind == .model }) else { return ImportResult(notes: unread) }
    var parts: [SchemaPart] = []
    if found.versions.isEmpty {
      parts.append(SchemaPart(library, name: name, number: SchemaVersion(1, 0, 0), version: nil, listed: nil))
    } else {
      for version in found.versions {
        parts.append(
          SchemaPart(
            library, name: name, number: version.number, version: version.name, listed: version.models,
            declaration: version.declaration))
      }
    }
    for index in parts.indices {
      for stage in found.stages where stage.isCustom && stage.to == parts[index].version {
        guard let from = found.versions.first(where: { $0.name == stage.from }) else { continue }
        parts[index].addCustomStage(from: from.number, name: "migrate\(stage.from)To\(stage.to)", stage, files)
      }
      parts[index].complete()
    }
    var result = result(parts, library, name)
    result.notes += unread
    return result
  }

  private static func result(_ parts: [SchemaPart], _ library: TypeLibrary, _ name: String) -> ImportResult {
    var result = ImportResult()
    result.notes = parts.flatMap(\.notes)
    result.versions = parts.map(\.number.description)
    result.models = parts.last?.modelCount ?? 0
    guard let head = parts.last else { return result }
    result.files.append(.init(path: "\(name).schema", text: head.text))
    let frozen = parts.dropLast()
    for part in frozen {
      result.files.append(.init(path: "versions/\(name)-\(part.number)/\(name).schema", text: part.text))
    }
    let used = Set(parts.flatMap(\.used))
    for declaration in library.declarations where declaration.kind == .model && !used.contains(declaration.range) {
      result.notes.append(
        library.note(.notCarried, declaration, "model '\(declaration.name)' is in none of the versions"))
    }
    let resolved = parts.compactMap(\.resolved)
    if !frozen.isEmpty, resolved.count == parts.count, let newest = resolved.last {
      let history = SchemaHistory(head: newest, frozen: Array(resolved.dropLast()))
      result.files.append(.init(path: "versions/\(name).lock", text: history.rebuiltLock.text))
      let checked = SchemaHistory(head: newest, frozen: Array(resolved.dropLast()), lock: history.rebuiltLock)
      for problem in checked.check() {
        result.notes.append(
          ImportNote(.check, "\(name).schema", 1, [problem.message, problem.help].compactMap { $0 }.joined(separator: ": ")))
      }
    }
    var seen: Set<String> = []
    result.notes = result.notes.filter { seen.insert($0.text).inserted }
    return result
  }
}
