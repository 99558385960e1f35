import Foundation
import SchemaCommands
import SchemaDriver
import SchemaModel
import StoreCare
import StoreInspection
import Synchronization
import Trellis

/// `trellis-store store migrate`.
enum MigrateStore {
  private struct Report: Encodable {
    let store: String
    let from: String
    let to: String
    let backup: String?
  }

  static func run(
    _ path: String, _ paths: [String], _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    let target = try arguments["--to"].map { text in
      guard let version = SchemaVersion(text) else {
        throw RunStoreAction.usage("'\(text)' is not a version (expected major.minor.patch)")
      }
      return version
    }
    let folders = try SchemaFolder.open(paths, session)
    for folder in folders { try folder.requireCompiled() }
    let store = try StoreDescription(StoreFile(path))
    let route = try MigrationRoute(store, folders, to: target, module: arguments["--module"])
    guard let from = route.passed.first?.version, let to = route.passed.last?.version else { return .internalError }
    guard from != to else {
      try RunStoreAction.show(
        Report(store: path, from: "\(from)", to: "\(to)", backup: nil), "\(route.title): nothing to do\n", arguments,
        &session)
      return .clean
    }
    guard route.stepsOfProgram.isEmpty else { throw refusal(route, store: path) }
    session.note("migrating \(route.title)\n")
    let progress = Progress(session)
    let result = Result {
      try StoreMigration.run(path, through: Array(route.schemas.suffix(route.passed.count))) { progress.report($0) }
    }
    session = progress.session
    let report = try result.get()
    let backup = report.backup.map { "; the store as it was: \($0)" } ?? ""
    try RunStoreAction.show(
      Report(store: path, from: "\(from)", to: "\(to)", backup: report.backup), "\(route.title): migrated\(backup)\n",
      arguments, &session)
    return .clean
  }

  /// Returns the error for a migration that only the app can run.
  private static func refusal(_ route: MigrationRoute, store: String) -> DriverFailure {
    DriverFailure(
      ["error: \(route.title): the app must migrate this store by opening it, because of its own steps:"]
        + route.stepsOfProgram.map { "  - \($0)" }
        + (route.lastWithoutProgram.map {
          ["'trellis store migrate \(store) --to \($0)' migrates the store up to these steps"]
        } ?? []), .findings)
  }

  /// Prints migration progress, skipping repeated lines.
  private final class Progress: Sendable {
    private let state: Mutex<(session: Session, last: String)>

    init(_ session: Session) { state = Mutex((session, "")) }

    var session: Session { state.withLock { $0.session } }

    func report(_ progress: MigrationProgress) {
      state.withLock { state in
        let tenth = Int(progress.fraction * 10) * 10
        let text = "\(progress.from) → \(progress.to): \(progress.activity.title), \(tenth) %\n"
        guard text != state.last else { return }
        state.last = text
        state.session.note(text)
      }
    }
  }
}

extension MigrationProgress.Activity {
  fileprivate var title: String {
    switch self {
    case .backup: "copying the store"
    case .rows(let entity): "rewriting the rows of \(entity)"
    case .custom(let name): "running the step '\(name)'"
    case .check: "comparing the result with a new store"
    }
  }
}
