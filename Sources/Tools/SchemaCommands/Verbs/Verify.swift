import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaLint
import SchemaModel
import SchemaVersions

/// `trellis verify`: checks released versions and the migrations between them.
package enum Verify: Verb {
  package static let name = "verify"
  package static let summary = "Check released versions, the lock file, and every migration step"
  package static let options: Set<String> = ["--format"]
  package static let flags: Set<String> = ["--rebuild-lock"]
  package static let help = """
    Usage: trellis verify [--format text|json] [PATH…]
           trellis verify --rebuild-lock [PATH…]

    Checks that released files match the lock file, that versions are in order, and that a migration
    handles every change from one version to the next. Builds perform the same checks. Also reports risks
    that builds do not report: reused names, removed uniqueness, and fills whose values differ on each run.

    PATH is a schema file or a folder. The default is every schema below the current folder.

      --rebuild-lock   rewrite the lock file from the released files and print the changes

    Exits with 1 if there is an error or a warning, and with 3 if a version does not compile.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let folders = try SchemaFolder.open(arguments.files, session)
    for folder in folders { try folder.requireCompiled() }
    if arguments.has("--rebuild-lock") { return try rebuild(folders, &session) }
    var status = ExitStatus.clean
    var reports: [VerifyReport] = []
    for folder in folders {
      let stray = folder.strayFindings
      if !stray.isEmpty { status = .findings }
      if format == .text { session.say(folder.render(stray)) }
      for history in folder.histories {
        let findings = (stray + history.check() + history.advice()).sortedAndUnique()
        if findings.contains(where: { $0.severity >= .warning }) { status = .findings }
        reports.append(VerifyReport(history, findings, files: folder.project.files))
        if format == .text {
          session.say(folder.render(findings.filter { !stray.contains($0) }))
          session.say(summary(history, findings))
        }
      }
    }
    if format == .json { try session.json(reports) }
    return status
  }

  private enum Format: String, CaseIterable { case text, json }

  private static func summary(_ history: SchemaHistory, _ findings: [Diagnostic]) -> String {
    let hops = history.stages.count
    let isReleased = history.frozen.contains { $0.version == history.head.version }
    let state = isReleased ? "" : " (not released)"
    let found = findings.isEmpty ? "no findings" : findings.count == 1 ? "1 finding" : "\(findings.count) findings"
    let ways = history.wayText
    return "\(history.head.name) \(ways)\(state): "
      + "\(hops == 1 ? "1 migration step" : "\(hops) migration steps") checked, \(found)\n"
  }

  private static func rebuild(_ folders: [SchemaFolder], _ session: inout Session) throws -> ExitStatus {
    var transaction = FileTransaction()
    var report = ""
    for folder in folders {
      for history in folder.histories {
        let path = try folder.lock(of: history)
        let old = FileManager.default.contents(atPath: path).map { Array($0) }
        guard !history.frozen.isEmpty || old != nil else {
          report += "\(history.head.name): nothing to do, no version has been released\n"
          continue
        }
        // The lock file cannot distinguish two folders with the same version number.
        let versions = history.frozen.map(\.version)
        guard Set(versions).count == versions.count else {
          let twice = history.check().filter { $0.id == .versionOrder }
          session.say(folder.render(twice))
          return .findings
        }
        let text = history.rebuiltLock.text
        guard old != Array(text.utf8) else {
          report += "\(path): nothing to do, the lock file matches the released files\n"
          continue
        }
        transaction.write(Array(text.utf8), to: path)
        report += UnifiedDiff.text(from: old, to: Array(text.utf8), path: path)
      }
    }
    try transaction.commit()
    session.say(report)
    return .clean
  }
}
