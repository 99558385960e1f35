import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// The files of a schema and of its released versions, with their lock.
struct ImportedVersions {
  struct Version {
    var number: SchemaVersion
    var text: String
    /// Nil for one that does not compile.
    var resolved: ResolvedSchema?
  }

  let name: String
  /// Oldest first; the last one is what is edited.
  let versions: [Version]

  /// What to write, and what is wrong with the way from one version to the next.
  var files: (files: [ImportResult.File], problems: [String]) {
    guard let head = versions.last else { return ([], []) }
    var files = [ImportResult.File(path: "\(name).schema", text: head.text)]
    for version in versions.dropLast() {
      files.append(.init(path: "versions/\(name)-\(version.number)/\(name).schema", text: version.text))
    }
    let resolved = versions.compactMap(\.resolved)
    guard resolved.count == versions.count, let newest = resolved.last else {
      return (files, versions.filter { $0.resolved == nil }.map { "version \($0.number) does not compile yet" })
    }
    guard versions.count > 1 else { return (files, []) }
    let lock = SchemaHistory(head: newest, frozen: Array(resolved.dropLast())).rebuiltLock
    files.append(.init(path: "versions/\(name).lock", text: lock.text))
    let checked = SchemaHistory(head: newest, frozen: Array(resolved.dropLast()), lock: lock)
    return (files, checked.check().map { [$0.message, $0.help].compactMap { $0 }.joined(separator: ": ") })
  }
}
