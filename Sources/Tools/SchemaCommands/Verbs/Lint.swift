import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaLint

/// `trellis lint`: checks schemas and released versions against the lint rules.
package enum Lint: Verb {
  package static let name = "lint"
  package static let summary = "Check schema files against the lint rules"
  package static let options = LintConfiguration.options.union(ReportOutputs.options).union([
    "--baseline", "--since", "--path",
  ])
  package static let flags: Set<String> = [
    "--no-config", "--fix", "--fix-dry-run", "--write-baseline", "--prune-baseline", "--ignore-suppressions",
    "--explain-suppressed", "--quiet",
  ]
  package static let choices = LintConfiguration.choices.merging(ReportOutputs.choices) { first, _ in first }
  package static let help = """
    Usage: trellis lint [PATH…]
           trellis lint - [--path FILE] < TEXT

    Checks schema files and their released versions for compiler errors and violations of lint rules.
    Settings come from the nearest 'schema.config.json' and from comments:
    // schema:ignore REL010 -- why

    PATH is a schema file or a folder. The default is every schema below the current folder. '-' reads
    standard input, which lets an editor check unsaved text: '--path' is the file that the text replaces,
    and the text is checked with the folder's other schemas, configuration and released versions.

    Rules:
      --preset NAME         \(words(LintPreset.allCases)) (default: recommended)
      --profile NAME        add the rules for a use case:
                            \(words(LintProfile.allCases))
      --enable RULE         enable a rule by code or name; 'trellis rules' lists them
      --disable RULE        disable a rule
      --severity RULE=LEVEL set a rule's severity: off, info, warning or error
      --config FILE         use this file instead of the nearest 'schema.config.json'
      --no-config           ignore 'schema.config.json'
      --ignore-suppressions report findings even if comments suppress them

    Findings:
      --fail-on LEVEL       exit with 1 if a finding has this severity or a higher one (default: warning)
      --fix                 apply the fixes that are safe without review
      --fix-dry-run         print these fixes and write nothing
      --since REVISION      report only findings that are new since a Git revision
      --baseline FILE       omit the findings that this file lists
      --write-baseline      write all current findings to that file (default: .schema-baseline.json)
      --prune-baseline      remove obsolete findings from that file

    Output:
      --format FORMAT       text (default on a terminal), compact, json, sarif, github, gitlab, junit
      --output FORMAT:FILE  also write a report to a file ('-' is standard output); can be repeated
      --color WHEN          auto, always, never
      --explain-suppressed  list the findings that comments, baseline and '--since' omit
      --quiet               omit the summary

    Exits with 3 if a schema does not compile. No rules are applied to such a schema.

    """

  private static func words(_ cases: [some RawRepresentable<String>]) -> String {
    cases.map(\.rawValue).joined(separator: ", ")
  }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let outputs = try ReportOutputs(arguments, session)
    let isInput = arguments.files.contains("-")
    if isInput, arguments.has("--fix") {
      throw DriverFailure(["error: standard input cannot be fixed; '--fix-dry-run' shows the fixes"], .usage)
    }
    if !isInput, arguments["--path"] != nil {
      throw DriverFailure(["error: '--path' can only be used with '-'"], .usage)
    }
    var unreadable: [DriverFailure.Unreadable] = []
    var folders = try LintedFolder.open(arguments, session) { unreadable += $0.unreadable }
    if arguments.has("--ignore-suppressions") {
      folders = folders.map { $0.ignoringSuppressions() }
    }
    if arguments.has("--fix") || arguments.has("--fix-dry-run") {
      folders = try fix(folders, isDry: arguments.has("--fix-dry-run"), &session)
      if arguments.has("--fix-dry-run") { return .clean }
    }
    var result = LintResult()
    // Each file has its own limit, because configurations differ by folder.
    var limits: [Severity] = []
    for file in unreadable {
      let diagnostic = Diagnostic(.unexpectedToken, .error, at: file.range, file.message)
      result.append(.unreadable([diagnostic]), files: [file.file])
    }
    limits += unreadable.map { _ in .error }
    for linted in folders {
      let outcome = linted.outcome(of: linted.folder.project)
      var part = LintResult()
      part.append(outcome, files: linted.folder.project.files)
      if let revision = arguments["--since"] {
        let old = try linted.fingerprints(at: revision)
        part.update { old.contains($0.fingerprint) ? .old : nil }
      }
      result.append(part)
      limits += part.files.map { _ in linted.configuration.failOn ?? .warning }
    }
    // A configuration for several folders may name a version that only one of the folders contains.
    let unknown = folders.compactMap(\.unknownPromotion)
    if let version = unknown.first, unknown.count == folders.count {
      session.note(
        "note: no schema has version \(version) ('promoted'), so there is no comparison with the deployed version\n")
    }
    try BaselineFile(arguments, folders, session)?.apply(to: &result, arguments, &session)
    let isSevere = result.open.contains { finding in
      finding.severity >= (limits.indices.contains(finding.range.file) ? limits[finding.range.file] : .warning)
    }
    try outputs.write(result, &session)
    if arguments.has("--explain-suppressed"), outputs.isForPeople { session.say(suppressed(result)) }
    if !arguments.has("--quiet") { session.note(summary(result)) }
    if result.isIncomplete { return .unparsable }
    return isSevere ? .findings : .clean
  }

  /// Applies fixes and returns the folders with the remaining findings.
  private static func fix(
    _ folders: [LintedFolder], isDry: Bool, _ session: inout Session
  ) throws -> [LintedFolder] {
    var transaction = FileTransaction()
    var result: [LintedFolder] = []
    var count = 0
    for linted in folders {
      let fixes = LintFixes(linted)
      for change in fixes.changes {
        transaction.write(change.new.bytes, to: change.new.path)
        if isDry { session.say(UnifiedDiff.text(from: change.old.bytes, to: change.new.bytes, path: change.new.path)) }
      }
      count += fixes.count
      result.append(linted.replacing(fixes.project))
    }
    if !isDry { try transaction.commit() }
    let verb = isDry ? "would be fixed" : "fixed"
    let files = transaction.paths.count == 1 ? "1 file" : "\(transaction.paths.count) files"
    session.note("\(count == 1 ? "1 finding" : "\(count) findings") \(verb) in \(files)\n")
    return result
  }

  private static func suppressed(_ result: LintResult) -> String {
    let renderer = CompilerRenderer(files: result.files)
    return result.findings.filter { !$0.isOpen }.map { finding in
      let why =
        switch finding.state {
        case .open: ""
        case .ignored(let reason): "ignored in the file: \(reason.isEmpty ? "no reason" : reason)"
        case .tolerated: "in the baseline"
        case .old: "existed before"
        }
      return renderer.render(finding.diagnostic) + "\n  (\(why))\n"
    }.joined()
  }

  private static func summary(_ result: LintResult) -> String {
    func count(_ number: Int, _ word: String) -> String { number == 1 ? "1 \(word)" : "\(number) \(word)s" }
    let open = result.open
    let parts = [Severity.error, .warning, .info].compactMap { severity -> String? in
      let number = open.count { $0.severity == severity }
      return number == 0 ? nil : severity == .info ? "\(number) info" : count(number, severity.rawValue)
    }
    let left = result.findings.count - open.count
    return "\(count(result.files.count, "file")), \(count(result.rules.count, "rule")), "
      + "\(count(result.hops, "migration step")): " + (parts.isEmpty ? "no findings" : parts.joined(separator: ", "))
      + (left == 0 ? "" : "; \(left) omitted") + "\n"
  }
}
