package import SchemaDiagnostics
import SchemaModel

/// From Swift source with SwiftData's models to schema files.
///
/// The text of a model is taken over as it is, since a schema is written in the same syntax. What the
/// compiler of schemas does not take becomes a comment, and is reported.
package enum SwiftImporter {
  /// - Parameter name: of the schema.
  package static func run(_ sources: [SourceFile], name: String) -> ImportResult {
    let files = sources.map { SwiftFile($0) }
    let scans = files.enumerated().map { SwiftScan($1, index: $0) }
    let declarations = scans.flatMap(\.declarations)
    let found = SwiftVersions(declarations, files)
    let library = TypeLibrary(
      declarations, scans.flatMap(\.aliases), files, versions: found.versions.map(\.name))
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
        parts[index].addCustomStage(from: from.number, name: "migrate\(stage.from)To\(stage.to)", stage)
      }
      parts[index].complete()
    }
    var result = result(parts, found, library, name)
    for version in found.versions {
      for word in version.unread {
        result.notes.append(
          library.note(
            .notCarried, version.declaration, "'\(word)' in the models of \(version.number) names no model that can be read"))
      }
      if version.models.isEmpty {
        result.notes.append(
          library.note(.notCarried, version.declaration, "the models of \(version.number) are not listed where they can be read"))
      }
    }
    result.notes += unread
    return result
  }

  private static func result(
    _ parts: [SchemaPart], _ found: SwiftVersions, _ library: TypeLibrary, _ name: String
  ) -> ImportResult {
    var result = ImportResult()
    result.notes = parts.flatMap(\.notes)
    result.versions = parts.map(\.number.description)
    result.models = parts.last?.modelCount ?? 0
    let used = Set(parts.flatMap(\.used))
    for declaration in library.declarations
    where declaration.kind == .model && !found.versions.isEmpty && !used.contains(.init(declaration)) {
      result.notes.append(
        library.note(.notCarried, declaration, "model '\(declaration.name)' is in none of the versions"))
    }
    let versions = parts.map { ImportedVersions.Version(number: $0.number, text: $0.text, resolved: $0.resolved) }
    let (files, problems) = ImportedVersions(name: name, versions: versions).files
    result.files = files
    result.notes += problems.map { ImportNote(.check, "\(name).schema", 1, $0) }
    var seen: Set<String> = []
    result.notes = result.notes.filter { seen.insert($0.text).inserted }
    return result
  }
}
