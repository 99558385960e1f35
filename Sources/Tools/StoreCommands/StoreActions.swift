import Foundation
package import SchemaCommands
package import SchemaDriver
import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import StoreCare
import StoreInspection
import Trellis

/// `trellis-store store`.
package enum RunStoreAction: VerbImplementation {
  package typealias Description = StoreVerb

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard let name = arguments.files.first else {
      throw usage("name an action: \(StoreVerb.Action.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard let action = StoreVerb.Action(rawValue: name) else {
      let meant = NearestName.find(name, in: StoreVerb.Action.allCases.map(\.rawValue)).map {
        "; did you mean '\($0)'?"
      }
      throw usage("unknown action '\(name)'\(meant ?? "")")
    }
    try checkOptions(arguments, for: action)
    guard let file = arguments.files.dropFirst().first else { throw usage("'store \(name)' needs a store file") }
    if case .database = StoreAddress(file, session) {
      throw usage("'store' is for files: use the tools of the database, and 'trellis-postgres migrate'")
    }
    let rest = Array(arguments.files.dropFirst(2))
    do {
      let path = session.path(file)
      switch action {
      case .check: return try check(path, rest, arguments, &session)
      case .copy: return try copy(path, rest, arguments, &session)
      case .backup: return try backup(path, rest, arguments, &session)
      case .compact:
        try checkCount(rest, 0, action)
        session.note("compacting \(file)\n")
        let report = try StoreCompaction.run(path)
        try show(report, report.text, arguments, &session)
        return .clean
      case .info: return try info(path, rest, arguments, &session)
      case .migrate: return try MigrateStore.run(path, rest, arguments, &session)
      }
    } catch let failure as CareFailure {
      throw DriverFailure(["error: \(failure)"], failure.isAboutStore ? .findings : .usage)
    } catch let error as InspectionError {
      throw DriverFailure(["error: \(error)"], .usage)
    }
  }

  static func usage(_ text: String) -> DriverFailure { DriverFailure(["error: \(text)"], .usage) }

  private static func checkOptions(_ arguments: Arguments, for action: StoreVerb.Action) throws {
    let given = Set(arguments.options.keys).union(StoreVerb.flags.filter(arguments.has))
    if let option = given.subtracting(action.options).min() {
      throw usage("'\(option)' does not apply to 'store \(action.rawValue)'")
    }
    if arguments.has("--force"), action == .check, arguments["--repair"] == nil {
      throw usage("'--force' applies to '--repair COPY'")
    }
  }

  private static func checkCount(_ rest: [String], _ count: Int, _ action: StoreVerb.Action) throws {
    guard rest.count > count else { return }
    throw usage("unexpected argument '\(rest[count])'; 'trellis store --help' describes '\(action.rawValue)'")
  }

  private enum Format: String, CaseIterable { case text, json }

  static func show(
    _ report: some Encodable, _ text: String, _ arguments: Arguments, _ session: inout Session
  ) throws {
    switch try arguments.choice("--format", Format.allCases) ?? .text {
    case .text: session.say(text)
    case .json: try session.json(report)
    }
  }

  /// Reports a slow operation's progress in steps of 10 %.
  private static func percentages(of title: String, _ session: inout Session, _ body: ((Double) -> Void) throws -> Void)
    rethrows
  {
    var last = 0
    try body { part in
      let tenth = Int(part * 10)
      guard tenth > last else { return }
      last = tenth
      session.note("\(title): \(tenth * 10) %\n")
    }
  }

  // MARK: check

  private static func check(
    _ path: String, _ rest: [String], _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    try checkCount(rest, 0, .check)
    let schemas = try arguments["--schema"].map { try declaredSchemas([$0], of: path, session) } ?? []
    guard let copy = arguments["--repair"] else {
      let report = try StoreChecker.check(path, schemas: schemas) { session.note("checking: \($0)\n") }
      try show(report, report.text, arguments, &session)
      return report.findings.isEmpty ? .clean : .findings
    }
    let target = try target(copy, of: path, arguments, session)
    var report: RepairReport?
    try target.write { url in
      report = try StoreRepair.run(path, to: url.path, schemas: schemas) { session.note("repair: \($0)\n") }
    }
    guard var report else { return .internalError }
    report.copy = target.path
    try show(report, report.text, arguments, &session)
    return report.remaining.isEmpty && report.failures.isEmpty ? .clean : .findings
  }

  /// Finds the store's recorded version in the schema files at the paths.
  private static func declaredSchemas(_ paths: [String], of store: String, _ session: Session) throws
    -> [ResolvedSchema]
  {
    let folders = try SchemaFolder.open(paths, session)
    for folder in folders { try folder.requireCompiled() }
    // An unreadable store is reported as a finding.
    guard let recorded = try RecordedSchema(store) else { return [] }
    let found = folders.flatMap(\.histories).flatMap(\.versions).filter(recorded.contains)
    guard recorded.isDescribed(by: found) else {
      throw DriverFailure(
        ["error: the files do not declare the models of the store in version \(recorded.version)"], .usage)
    }
    return found
  }

  // MARK: copies

  /// Returns the target for a copy, which must not be the store itself, not even through a link.
  private static func target(
    _ copy: String, of path: String, _ arguments: Arguments, _ session: Session
  ) throws -> StoreTarget {
    if let store = FileStamp(path), FileStamp(session.path(copy))?.isSameFile(as: store) == true {
      throw usage("'\(copy)' is the store itself: choose a different path")
    }
    let target = StoreTarget(copy, isForced: arguments.has("--force"), session)
    try target.check()
    return target
  }

  private static func copy(
    _ path: String, _ rest: [String], _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    try checkCount(rest, 1, .copy)
    guard let target = rest.first else { throw usage("'store copy' needs a target: 'trellis store copy FILE TARGET'") }
    return try write(path, to: target, arguments, &session) { _ in [] }
  }

  private static func backup(
    _ path: String, _ rest: [String], _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    try checkCount(rest, 1, .backup)
    let kept = try arguments["--keep"].map { text in
      guard let number = Int(text), number > 0 else { throw usage("'--keep' must be a number from 1") }
      return number
    }
    let folder = rest.first ?? URL(fileURLWithPath: path).deletingLastPathComponent().path
    let target = Session.join(folder, StoreCopier.backupName(of: path, at: Date()))
    let location = session.path(folder)
    return try write(path, to: target, arguments, &session) {
      guard let kept, $0.isComplete else { return [] }
      return try StoreCopier.prune(path, in: location, keeping: kept, newest: target)
    }
  }

  /// - Parameter complete: Called with the complete copy; returns the removed files.
  private static func write(
    _ path: String, to copy: String, _ arguments: Arguments, _ session: inout Session,
    _ complete: (StoreCopyReport) throws -> [String]
  ) throws -> ExitStatus {
    let target = try target(copy, of: path, arguments, session)
    var report: StoreCopyReport?
    try target.write { url in
      try percentages(of: "copying", &session) { report = try StoreCopier.copy(path, to: url.path, $0) }
    }
    guard var report else { return .internalError }
    report.target = target.path
    report.removed = try complete(report)
    let files = counted(report.externalFiles, "external file")
    var text = "\(target.path): \(ByteCount.text(report.bytes)), \(files)\n"
    for name in report.removed { text += "removed \(name)\n" }
    for name in report.missingFiles { text += "missing or damaged in the store: the external file \(name)\n" }
    if !report.damagedPages.isEmpty {
      text += "the store and the copy have damaged pages, which 'trellis store check \(path)' lists: restore a backup\n"
    }
    if !report.isComplete { text += "the copy is kept, and no older backup was removed\n" }
    try show(report, text, arguments, &session)
    return report.isComplete ? .clean : .findings
  }

  // MARK: info

  private static func info(
    _ path: String, _ rest: [String], _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    try checkCount(rest, 0, .info)
    let policy = try arguments["--keep-history"].map { text in
      guard let policy = HistoryPolicy(text) else {
        throw usage("'--keep-history' must be an age such as '30d', '12h' or '8w', or a number of transactions")
      }
      return policy
    }
    let info = try StoreInfo(path, keeping: policy)
    try show(info, info.text, arguments, &session)
    return .clean
  }
}
