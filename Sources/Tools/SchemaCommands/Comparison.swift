import Foundation
import SchemaDiagnostics
import SchemaDiff
import SchemaDriver
import SchemaModel
import SchemaReports
import SchemaVersions

/// Pairs of schemas to compare, with the known versions in between.
struct Comparison {
  let pairs: [Pair]

  struct Pair {
    /// At least two versions, oldest first.
    let versions: [ResolvedSchema]
    /// The versions that may have written rows to stores of the oldest version, including that version. `nil` if
    /// unknown.
    var earlier: [ResolvedSchema]?
  }

  func reports(breaking axes: Set<BreakingAxis>? = nil) -> [DiffReport] {
    pairs.map { DiffReport(through: $0.versions, earlier: $0.earlier, breaking: axes) }
  }

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
    var before = try Side(old, histories, try Self.listed(old, paths, session), against: new)
    var after = try Side(new, histories, try Self.listed(new, paths, session), against: old)
    var pairs: [Pair] = []
    for history in histories {
      let (old, new) = (before.take(history), after.take(history))
      guard let some = old ?? new else { continue }
      // Skip a schema that does not have the requested version. A schema that is missing from a revision is new.
      guard old != nil || before.isListed, new != nil || after.isListed else { continue }
      let empty = ResolvedSchema(name: some.name, version: some.version)
      pairs.append(Self.through([old ?? empty, new ?? empty], history))
    }
    // Compare removed schemas with empty schemas.
    for schema in before.rest where after.isListed || after.revision == .head {
      let successor = after.selectNamed(schema.name)
      pairs.append(
        Pair(versions: [schema, successor ?? ResolvedSchema(name: schema.name, version: schema.version)]))
    }
    for schema in after.rest where before.isListed {
      pairs.append(Pair(versions: [ResolvedSchema(name: schema.name, version: schema.version), schema]))
    }
    self.pairs = pairs
  }

  /// Inserts the released versions in between, because renames are recorded per migration step.
  private static func through(_ pair: [ResolvedSchema], _ history: SchemaHistory) -> Pair {
    let earlier = history.versions.filter { $0.version < pair[0].version } + [pair[0]]
    guard pair[0].version < pair[1].version else { return Pair(versions: pair, earlier: earlier) }
    let versions = history.versions
    let start = versions.first { $0.version == pair[0].version } ?? versions.first
    let end = versions.first { $0.version == pair[1].version } ?? history.head
    let way = start.flatMap { history.way(from: $0, to: end) } ?? []
    let between = way.filter { pair[0].version < $0.version && $0.version < pair[1].version }
    return Pair(versions: [pair[0]] + between + [pair[1]], earlier: earlier)
  }

  /// Returns the schemas of a revision or a folder, or nil for a version, because the histories contain it.
  private static func listed(
    _ revision: Revision, _ paths: [String], _ session: Session
  ) throws -> [ResolvedSchema]? {
    switch revision {
    case .git(let name): try git(name, paths, session)
    case .path(let path): try schemas(path, session)
    case .head, .released, .version: nil
    }
  }

  private static func schemas(_ path: String, _ session: Session) throws -> [ResolvedSchema] {
    try checked(CompiledSchemas([path], session))
  }

  private static func git(_ revision: String, _ paths: [String], _ session: Session) throws -> [ResolvedSchema] {
    var schemas: [ResolvedSchema] = []
    let named = paths.isEmpty ? [""] : paths
    for path in named {
      let full = session.path(path)
      let isFile = !path.isEmpty && SchemaPaths.kind(of: full) == .file
      let folder = isFile ? URL(fileURLWithPath: full).deletingLastPathComponent().path : full
      let git = Git(folder: folder)
      var files = try git.schemaFiles(at: revision)
      if isFile {
        let name = URL(fileURLWithPath: full).lastPathComponent
        let all = try compile(files.filter { !$0.path.dropFirst("git:\(revision):".count).contains("/") })
        schemas += all.filter { $0.files.contains { $0.path == "git:\(revision):\(name)" } }
        files = []
      }
      let prefix = "git:\(revision):"
      var groups = Dictionary(grouping: files) { Session.join(folder, String($0.folder.dropFirst(prefix.count))) }
      for (target, swift) in !isFile || full.hasSuffix(SchemaPaths.swiftSuffix)
        ? try git.swiftTargets(at: revision) : []
      {
        let beside = groups.removeValue(forKey: target.home) ?? []
        schemas += try checked(CompiledSchemas(beside, SwiftSources(swift, schemaName: target.module)))
      }
      for (_, group) in groups.sorted(by: { $0.key < $1.key }) { schemas += try compile(group) }
    }
    guard !schemas.isEmpty else {
      throw DriverFailure(["error: 'git:\(revision)' contains no schema file in this folder"], .usage)
    }
    return schemas
  }

  private static func compile(_ files: [SourceFile]) throws(DriverFailure) -> [ResolvedSchema] {
    try checked(CompiledSchemas(files))
  }

  private static func checked(_ compiled: CompiledSchemas) throws(DriverFailure) -> [ResolvedSchema] {
    // An old revision may use options that have been removed since then.
    try compiled.requireCompiled(ignoring: [.removedOption])
    return compiled.schemas
  }

  /// Pairs the schemas of both sides by name, or regardless of the name if each side has a single schema. A schema
  /// that has no counterpart is compared with an empty schema.
  private static func pairs(
    _ old: [ResolvedSchema], _ new: [ResolvedSchema]
  ) -> [Pair] {
    if old.count == 1, new.count == 1 { return [Pair(versions: [old[0], new[0]])] }
    return Set((old + new).map(\.name)).sorted().compactMap { name in
      let before = old.first { $0.name == name }
      let after = new.first { $0.name == name }
      guard let some = before ?? after else { return nil }
      let empty = ResolvedSchema(name: name, version: some.version)
      return Pair(versions: [before ?? empty, after ?? empty])
    }
  }
}
