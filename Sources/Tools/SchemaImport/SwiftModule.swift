import SchemaDiagnostics
import SchemaSyntax

/// Files that form a module, so that each version is declared once.
///
/// A folder with several packages can contain several `SchemaV1` enums. Files are divided at the first path component
/// that differs.
struct SwiftModule {
  var files: [SwiftFile]
  /// The folder or file that identifies the module; nil if all files form a single module.
  var name: String?

  /// Splits files into modules. Files outside the identifying folders belong to every module.
  static func split(_ files: [SwiftFile]) -> [SwiftModule] {
    let declared = files.enumerated().map { Self.versions(SwiftScan($1, index: $0).declarations) }
    return split(Array(files.indices), nil, files, declared)
  }

  private static func versions(_ declarations: [SwiftDeclaration]) -> Set<String> {
    // An extension that adds the conformance to `VersionedSchema` does not declare a version.
    Set(
      declarations.filter { $0.conformances.contains("VersionedSchema") && $0.kind != .extensionOf }
        .map { $0.path.joined(separator: ".") })
  }

  private static func split(
    _ group: [Int], _ title: String?, _ files: [SwiftFile], _ declared: [Set<String>]
  ) -> [SwiftModule] {
    var seen: [String: [Int]] = [:]
    for file in group {
      for name in declared[file] { seen[name, default: []].append(file) }
    }
    guard let twice = seen.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key })?.value else {
      return [SwiftModule(files: group.map { files[$0] }, name: title)]
    }
    let paths = group.map {
      files[$0].file.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
    let parting = zip(group, paths).filter { twice.contains($0.0) }.map(\.1)
    var depth = 0
    while let word = parting.first?.dropFirst(depth).first, parting.allSatisfy({ $0.dropFirst(depth).first == word }) {
      depth += 1
    }
    func branch(_ path: [String]) -> String? { path.dropFirst(depth).first }
    let common = parting.first.map { Array($0.prefix(depth)) } ?? []
    let branches = Set(parting.compactMap(branch))
    guard branches.count > 1 else {
      // Drop a file that is listed twice.
      return split(group.filter { $0 == twice[0] || !twice.contains($0) }, title, files, declared)
    }
    return branches.sorted().flatMap { name in
      let own = zip(group, paths).filter { _, path in
        guard path.starts(with: common), let place = branch(path) else { return true }
        return place == name || !branches.contains(place)
      }
      let title = name.hasSuffix(".swift") ? String(name.dropLast(6)) : name
      return split(own.map(\.0), title, files, declared)
    }
  }
}
