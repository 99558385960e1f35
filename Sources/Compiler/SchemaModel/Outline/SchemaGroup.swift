import SchemaDiagnostics
import SchemaSyntax

/// Files in the same folder that name the same schema and version.
struct SchemaGroup {
  struct Key: Hashable {
    var name: String
    var folder: String
  }

  /// The folder of the first file.
  let key: Key
  let version: SchemaVersion
  /// Sorted by path.
  private(set) var files: [FileOutline]
  /// The types that enclose models in Swift files.
  var scope: SwiftScope? {
    let all = files.compactMap(\.tree.file.swift)
    var scope = all.first
    let isLimited = all.allSatisfy { $0.access != nil }
    scope?.access = isLimited ? ["internal", "package"].first { level in all.contains { $0.access == level } } : nil
    return scope
  }
  /// For each model outside `scope`, the types that enclose it.
  var homes: [String: [String]] {
    files.reduce(into: [:]) { homes, file in
      guard let swift = file.tree.file.swift, swift.home != swift.path else { return }
      for name in file.models.compactMap(\.name) { homes[name] = swift.home }
    }
  }

  var declaredNames: [String] {
    files.flatMap { file in
      (file.models + file.enums + file.structs).compactMap(\.name)
    }
  }

  static func group(_ outlines: [FileOutline]) -> ([SchemaGroup], [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let byKey = placed(outlines).grouped {
      // A target's Swift files may be in any folder.
      Key(name: $0.schemaName, folder: $0.home?.folder ?? ($0.tree.file.isSwift ? "" : $0.tree.file.folder))
    }
    let keys = byKey.keys.ordered { ($0.name, $0.folder) < ($1.name, $1.folder) }
    let groups = keys.compactMap { key -> SchemaGroup? in
      let files = (byKey[key] ?? []).ordered { $0.tree.file.path < $1.tree.file.path }
      guard let first = files.first else { return nil }
      for other in files.dropFirst() where other.version.value != first.version.value {
        diagnostics.append(.versionsDiffer(key.name, other, first))
      }
      return SchemaGroup(key: key, version: first.version.value, files: files)
    }
    return (joined(groups, &diagnostics), diagnostics)
  }

  /// Assigns models in Swift files to the schema of the target's schema files, if there is one.
  private static func placed(_ outlines: [FileOutline]) -> [FileOutline] {
    guard outlines.contains(where: \.tree.file.isSwift) else { return outlines }
    let written = outlines.filter { !$0.tree.file.isSwift }
    let names = Set(written.map(\.schemaName))
    return outlines.map { outline in
      guard outline.tree.file.swift?.path.isEmpty == true,
        let home = written.first(where: { names.count == 1 || $0.schemaName == outline.schemaName })
      else { return outline }
      var outline = outline
      outline.schemaName = home.schemaName
      outline.version = home.version
      outline.home = Key(name: home.schemaName, folder: home.tree.file.folder)
      return outline
    }
  }

  /// Reports a schema spread over two folders, and joins the parts so that no follow-up errors occur.
  private static func joined(
    _ groups: [SchemaGroup], _ diagnostics: inout [Diagnostic]
  ) -> [SchemaGroup] {
    struct Release: Hashable {
      var name: String
      var version: SchemaVersion
    }
    var result: [SchemaGroup] = []
    var positions: [Release: Int] = [:]
    for group in groups {
      let release = Release(name: group.key.name, version: group.version)
      guard let position = positions[release] else {
        positions[release] = result.count
        result.append(group)
        continue
      }
      diagnostics.append(.schemaInTwoFolders(group, result[position]))
      result[position].files += group.files
    }
    return result
  }
}

extension Diagnostic {
  fileprivate static func versionsDiffer(
    _ name: String, _ other: FileOutline, _ first: FileOutline
  ) -> Self {
    Self(
      .missingVersion, at: other.version.range,
      "schema '\(name)' has version \(other.version.value) here and \(first.version.value) in another file",
      related: [.init(first.version.range, "version \(first.version.value) is written here")],
      help: "write the same version in every file of the schema")
  }

  fileprivate static func schemaInTwoFolders(_ group: SchemaGroup, _ other: SchemaGroup) -> Self {
    let here = group.files.first?.version.range ?? SourceRange(file: 0, start: 0, end: 0)
    let there = other.files.first?.version.range ?? here
    return Self(
      .duplicateDeclaration, at: here,
      "schema '\(group.key.name)' \(group.version) is declared in two folders",
      related: [.init(there, "it is also declared here")],
      help: "move the files to one folder, or rename one of the schemas")
  }
}
