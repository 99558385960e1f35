package import SchemaDriver
import SchemaModel
import SchemaVersions
import StoreInspection

/// `trellis preflight`: counts the rows of a store that a migration to the current version affects.
package enum PreflightStore: Verb {
  package static let name = "preflight"
  package static let summary = "count the rows of a store that the way to the current version is about"
  package static let options: Set<String> = ["--store", "--schema", "--to", "--format"]
  package static let flags: Set<String> = ["--all"]
  package static let help = """
    Usage: trellis preflight --store STORE [--schema NAME] [--to VERSION] [--all] [--format text|json] [PATH…]

    Finds the version of a store, goes through everything that changes on its way to the current version
    (or to VERSION), and counts the rows each change is about. What touches no row is left out. Each line
    ends with what the migration does about the rows: filled, deduplicated, carried by custom, accepted,
    automatic (rows keep their values), or open if no step handles the change yet.

      --store STORE  a file. For 'trellis-postgres' also a PostgreSQL database: a URL, as in
                     'postgres://user@host/database', or a conninfo string
      --schema NAME  the schema of the database that has the tables, if it is not on the search path
      --all          says what touches no row too

    PATH is a schema file or a folder; without one it is every schema below this folder. The store is
    only read, also while a program has it open.

    Ends with 1 when a change that touches rows is open, when another program has added columns, or the
    store is of no known version.

    """

  private enum Format: String, CaseIterable { case text, json }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let target = try arguments["--to"].map { text in
      guard let version = SchemaVersion(text) else {
        throw DriverFailure(["error: '\(text)' is no version of the form major.minor.patch"], .usage)
      }
      return version
    }
    let store = try StorePath.open(arguments, for: name, session)
    let histories = try StorePath.histories(arguments.files, session)
    guard !store.schemas.isEmpty else {
      throw DriverFailure(
        ["error: \(store.path): the store was written without the text of its schema, so nothing can be counted"],
        .usage)
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

/// The row counts for one schema of a store.
struct PreflightReport: Encodable {
  struct Finding: Encodable {
    var rule: String
    var name: String
    var subject: String
    var from: String
    var to: String
    var rows: Int?
    var text: String
    /// See `ChangeHandling`; `open` if no step handles the change.
    var handling: String
  }

  var schemaVersion = 1
  var schema: String
  var way: [String] = []
  var findings: [Finding] = []
  /// Columns that another program added. They prevent the migration.
  var strayColumns: [String] = []
  /// The reason why the rows could not be counted.
  var problem: String?
  private var isOpen = false

  private enum CodingKeys: String, CodingKey { case schemaVersion, schema, way, findings, strayColumns, problem }

  var isClean: Bool { problem == nil && strayColumns.isEmpty && !isOpen }

  init(
    _ store: StoreDescription, _ stored: ResolvedSchema, _ history: SchemaHistory?,
    to target: SchemaVersion?, includesHarmless: Bool
  ) throws {
    schema = "\(stored.name) \(stored.version)"
    guard let history else {
      problem = "there is no schema '\(stored.name)' here"
      return
    }
    let versions = history.versions
    guard let start = history.index(of: stored) else {
      problem =
        stored.version > history.head.version
        ? "the store is of version \(stored.version) already, which is newer"
        : "the store is of none of the versions here; 'inspect' says how it differs"
      return
    }
    guard let end = target.map({ version in versions.firstIndex { $0.version == version } }) ?? versions.count - 1
    else {
      problem = "there is no version \(target?.description ?? "") of '\(stored.name)'"
      return
    }
    guard start <= end else {
      problem = "the store is of version \(versions[start].version) already, which is newer"
      return
    }
    guard let stages = history.stages(from: versions[start], to: versions[end]) else {
      problem = "no migration leads from version \(versions[start].version) to \(versions[end].version)"
      return
    }
    way = ([versions[start]] + stages.map(\.to)).map(\.version.description)
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
    guard way.count > 1 else { return "\(schema): the current version, there is nothing to do\n" }
    let head = "\(schema): \(way.joined(separator: " → "))\n"
    let strays = strayColumns.map { "  column '\($0)' is of no version: the migration is refused while it is there\n" }
    guard !findings.isEmpty || !strays.isEmpty else {
      return head + "  nothing that changes touches a row of this store\n"
    }
    return head + (strays + findings.map { "  [\($0.rule) \($0.name)] \($0.text) (\($0.handling))\n" }).joined()
  }
}
