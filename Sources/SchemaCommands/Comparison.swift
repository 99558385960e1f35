import Foundation
import SchemaDiagnostics
import SchemaDiff
import SchemaDriver
import SchemaModel
import SchemaVersions

/// Pairs of schemas to compare, each with the versions between them as far as they are known.
struct Comparison {
  /// From the older one to the newer one: two versions or more.
  let pairs: [[ResolvedSchema]]

  var reports: [DiffReport] { pairs.map { DiffReport(through: $0) } }

  init(
    from old: Revision, to new: Revision, paths: [String], _ session: Session
  ) throws {
    if case .path(let old) = old, case .path(let new) = new {
      pairs = Self.pairs(try Self.schemas(old, session), try Self.schemas(new, session))
      return
    }
    let folders = try SchemaFolder.open(paths, session)
    for folder in folders { try folder.requireCompiled() }
    let histories = folders.flatMap(\.histories)
    let before = try Self.schemas(old, histories, paths, session)
    let after = try Self.schemas(new, histories, paths, session)
    pairs = Self.pairs(before, after).map { pair in
      Self.through(pair, histories.first { $0.head.name == pair[1].name })
    }
  }

  /// Renames are known hop by hop: the released versions between the two are put in between.
  private static func through(_ pair: [ResolvedSchema], _ history: SchemaHistory?) -> [ResolvedSchema] {
    guard let history, pair[0].version < pair[1].version else { return pair }
    let between = history.versions.filter { pair[0].version < $0.version && $0.version < pair[1].version }
    return [pair[0]] + between + [pair[1]]
  }

  private static func schemas(
    _ revision: Revision, _ histories: [SchemaHistory], _ paths: [String], _ session: Session
  ) throws -> [ResolvedSchema] {
    switch revision {
    case .head: return histories.map(\.head)
    case .released: return try histories.map { try released($0) }
    case .version(let version):
      let found = histories.compactMap { history in
        history.frozen.first { $0.version == version } ?? (history.head.version == version ? history.head : nil)
      }
      guard !found.isEmpty else {
        let known = Set(histories.flatMap { $0.frozen + [$0.head] }.map(\.version)).sorted()
        throw DriverFailure(
          ["error: no schema has a version \(version); there are \(known.map(\.description).joined(separator: ", "))"],
          .usage)
      }
      return found
    case .git(let name): return try git(name, paths, session)
    case .path(let path): return try schemas(path, session)
    }
  }

  private static func released(_ history: SchemaHistory) throws(DriverFailure) -> ResolvedSchema {
    guard let newest = history.frozen.last else {
      throw DriverFailure(
        ["error: no version of '\(history.head.name)' is released, so there is nothing to compare with"], .usage)
    }
    return newest
  }

  private static func schemas(_ path: String, _ session: Session) throws -> [ResolvedSchema] {
    try compile(try SchemaReader.read(try SchemaPaths.files([path], session)).get())
  }

  private static func git(_ revision: String, _ paths: [String], _ session: Session) throws -> [ResolvedSchema] {
    var schemas: [ResolvedSchema] = []
    let named = paths.isEmpty ? [""] : paths
    for path in named {
      let full = session.path(path)
      let isFile = !path.isEmpty && SchemaPaths.kind(of: full) == .file
      let folder = isFile ? URL(fileURLWithPath: full).deletingLastPathComponent().path : full
      var files = try Git(folder: folder).schemaFiles(at: revision)
      if isFile {
        let name = URL(fileURLWithPath: full).lastPathComponent
        let all = try compile(files.filter { !$0.path.dropFirst("git:\(revision):".count).contains("/") })
        schemas += all.filter { $0.files.contains { $0.path == "git:\(revision):\(name)" } }
        files = []
      }
      for (_, group) in Dictionary(grouping: files, by: \.folder).sorted(by: { $0.key < $1.key }) {
        schemas += try compile(group)
      }
    }
    guard !schemas.isEmpty else {
      throw DriverFailure(["error: 'git:\(revision)' has no schema file here"], .usage)
    }
    return schemas
  }

  private static func compile(_ files: [SourceFile]) throws(DriverFailure) -> [ResolvedSchema] {
    let compilation = SchemaCompiler.compile(files)
    guard !compilation.hasErrors else {
      let errors = compilation.diagnostics.filter { $0.severity == .error }
      throw DriverFailure([String(CompilerRenderer(files: files).render(errors).dropLast())], .unparsable)
    }
    return compilation.schemas
  }

  /// One schema on each side is compared whatever its name; of several, those of one name, and what
  /// is on one side only with an empty schema.
  private static func pairs(
    _ old: [ResolvedSchema], _ new: [ResolvedSchema]
  ) -> [[ResolvedSchema]] {
    if old.count == 1, new.count == 1 { return [[old[0], new[0]]] }
    return Set((old + new).map(\.name)).sorted().compactMap { name in
      let before = old.first { $0.name == name }
      let after = new.first { $0.name == name }
      guard let some = before ?? after else { return nil }
      let empty = ResolvedSchema(name: name, version: some.version)
      return [before ?? empty, after ?? empty]
    }
  }
}
