package import SchemaDriver
package import SchemaModel
import SchemaVersions
import StoreInspection

/// `trellis preflight`: counts the rows that a migration to the current version affects.
package enum PreflightStore: Verb {
  package static let name = "preflight"
  package static let summary = "Count the rows that a migration would change"
  package static let options: Set<String> = ["--store", "--schema", "--to", "--format"]
  package static let flags: Set<String> = ["--all"]
  package static let help = """
    Usage: trellis preflight --store STORE [--schema NAME] [--to VERSION] [--all] [--format text|json] [PATH…]

    Reads a store's schema version, walks every migration step to the current version (or to VERSION),
    and counts the rows that each change affects. Changes that affect no rows are omitted unless '--all'
    is given. Each line ends with how the migration handles the rows: filled, deduplicated, carried by
    custom, accepted, automatic (rows keep their values), or open if no step handles the change yet.

      --store STORE  a file. 'trellis-postgres' also accepts a PostgreSQL database: a URL such as
                     'postgres://user@host/database', or a conninfo string
      --schema NAME  the database schema that contains the tables, if it is not on the search path
      --to VERSION   the last version of the migration (default: the current version)
      --all          list changes that affect no rows too

    PATH is a schema file or a folder. The default is every schema below the current folder.
    The store is opened read-only and may be in use.

    Exits with 1 if an open change affects rows, if other programs added columns to the store, or if the
    store's version is unknown.

    """

  private enum Format: String, CaseIterable { case text, json }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let target = try arguments["--to"].map { text in
      guard let version = SchemaVersion(text) else {
        throw DriverFailure(["error: '\(text)' is not a version (expected major.minor.patch)"], .usage)
      }
      return version
    }
    let store = try StorePath.open(arguments, for: name, session)
    let histories = try StorePath.histories(arguments.files, session)
    guard !store.schemas.isEmpty else {
      throw DriverFailure(["error: \(store.path): \(StorePath.unrecorded)"], .usage)
    }
    var status = ExitStatus.clean
    var reports: [PreflightReport] = []
    for stored in store.schemas {
      let history = try StorePath.history(of: stored, in: histories, &session)
      guard history != nil || store.isNamed else {
        throw DriverFailure(["error: \(store.path): \(StorePath.unnamed)"], .usage)
      }
      let report = try PreflightReport(
        store, stored, history, to: target, includesHarmless: arguments.has("--all"))
      if !report.isClean { status = .findings }
      reports.append(report)
      if format == .text { session.say(report.text) }
    }
    if format == .json { try session.json(reports) }
    return status
  }
}

/// The row counts for a single schema of a store.
package struct PreflightReport: Encodable, Sendable {
  struct Finding: Encodable, Sendable {
    var rule: String
    var name: String
    var subject: String
    var from: String
    var to: String
    var rows: Int?
    var text: String
    /// The raw value of a `ChangeHandling`, or `open` if no step handles the change.
    var handling: String
  }

  var schemaVersion = 1
  var schema: String
  var way: [String] = []
  var findings: [Finding] = []
  /// Unknown columns that were added to the tables. They prevent the migration.
  var strayColumns: [String] = []
  /// The reason why rows could not be counted.
  var problem: String?
  /// The versions in ``way``. If the store matches no known version: its own version, and the current one.
  package private(set) var versions: [ResolvedSchema] = []
  private var isOpen = false

  private enum CodingKeys: String, CodingKey { case schemaVersion, schema, way, findings, strayColumns, problem }

  /// True if the migration can run.
  package var isClean: Bool { problem == nil && strayColumns.isEmpty && !isOpen }

  init(
    _ store: StoreDescription, _ stored: ResolvedSchema, _ history: SchemaHistory?,
    to target: SchemaVersion?, includesHarmless: Bool
  ) throws {
    schema = "\(stored.name) \(stored.version)"
    guard let history else {
      problem = "there is no schema '\(stored.name)'"
      return
    }
    let versions = history.versions
    guard let start = history.index(of: stored) else {
      problem =
        stored.version > history.head.version
        ? "the store has the newer version \(stored.version)"
        : "the store matches no known version; 'inspect' shows the differences"
      self.versions = [stored, history.head]
      return
    }
    guard let end = target.map({ version in versions.firstIndex { $0.version == version } }) ?? versions.count - 1
    else {
      problem = "'\(stored.name)' has no version \(target?.description ?? "")"
      return
    }
    guard start <= end else {
      problem = "the store has the newer version \(versions[start].version)"
      return
    }
    guard let stages = history.stages(from: versions[start], to: versions[end]) else {
      problem = "there is no migration from version \(versions[start].version) to \(versions[end].version)"
      return
    }
    self.versions = [versions[start]] + stages.map(\.to)
    way = self.versions.map(\.version.description)
    if way.count > 1 { strayColumns = store.strayColumns }
    let preflight: Preflight
    do {
      preflight = try Preflight(store, through: stages)
    } catch let error as InspectionError {
      throw DriverFailure(["error: \(store.path): \(error)"], .usage)
    }
    isOpen = preflight.findings.contains(where: \.isOpen)
    findings = preflight.findings.filter { includesHarmless || !$0.isHarmless }.map {
      Finding(
        rule: $0.rule, name: $0.name, subject: $0.subject, from: $0.from.description,
        to: $0.to.description, rows: $0.rows, text: $0.text, handling: $0.handling?.rawValue ?? "open")
    }
  }

  var text: String {
    if let problem { return "\(schema): \(problem)\n" }
    guard way.count > 1 else { return "\(schema): the current version, nothing to do\n" }
    let head = "\(schema): \(way.joined(separator: " → "))\n"
    let strays = strayColumns.map { "  column '\($0)' belongs to no version; migration fails until it is removed\n" }
    guard !findings.isEmpty || !strays.isEmpty else {
      return head + "  no change affects rows of this store\n"
    }
    return head + (strays + findings.map { "  [\($0.rule) \($0.name)] \($0.text) (\($0.handling))\n" }).joined()
  }
}

extension PreflightReport {
  /// Counts the rows in a store file that a migration to the current version affects. Includes changes that affect no
  /// rows.
  ///
  /// - Parameter schema: A schema file or a folder.
  /// - Throws: `DriverFailure` if the store or the schema cannot be read.
  package init(file: String, schema: String, _ session: inout Session) throws {
    let store = try StorePath.file(file)
    let histories = try StorePath.histories([schema], session)
    guard let stored = store.schemas.first else {
      throw DriverFailure(["error: \(file): \(StorePath.unrecorded)"], .usage)
    }
    let history = try StorePath.history(of: stored, in: histories, &session)
    try self.init(store, stored, history, to: nil, includesHarmless: true)
  }
}
