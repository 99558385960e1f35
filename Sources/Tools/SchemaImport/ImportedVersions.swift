import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// The files for a schema and the released versions, with the lock file.
struct ImportedVersions {
  struct Version {
    var number: SchemaVersion
    var text: String
    /// The compiled version; nil after errors.
    var resolved: ResolvedSchema?
  }

  let name: String
  /// The versions, oldest first. The last is the head.
  let versions: [Version]

  /// The files to write, and the problems found in migrations.
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
