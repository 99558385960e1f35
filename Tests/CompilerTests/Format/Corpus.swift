import Foundation
import SchemaDiagnostics
import TestSupport

/// All schema files of the package, grouped by schema.
enum Corpus {
  struct Group: Sendable, CustomStringConvertible {
    var folder: String
    var files: [SourceFile]

    var description: String { folder }
    var size: Int { files.reduce(0) { $0 + $1.bytes.count } }
  }

  static let root = Repository.root.resolvingSymlinksInPath()

  static let groups: [Group] = {
    var folders: [String: [SourceFile]] = [:]
    for top in ["Schemas", "Sources", "Tests", "Benchmarks/Schemas"] {
      let base = root.appending(path: top)
      guard let paths = FileManager.default.enumerator(atPath: base.path(percentEncoded: false)) else { continue }
      for case let path as String in paths where path.hasSuffix(".schema") && !"/\(path)".contains("/.") {
        let file = "\(top)/\(path)"
        guard let data = FileManager.default.contents(atPath: root.appending(path: file).path(percentEncoded: false))
        else { continue }
        let folder = URL(filePath: "/" + file).deletingLastPathComponent().path(percentEncoded: false)
        folders[folder, default: []].append(SourceFile(path: file, bytes: Array(data)))
      }
    }
    return folders.map { Group(folder: $0.key, files: $0.value.sorted { $0.path < $1.path }) }
      .sorted { $0.folder < $1.folder }
  }()
}
