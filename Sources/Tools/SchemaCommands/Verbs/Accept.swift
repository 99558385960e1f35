import SchemaDiagnostics
import SchemaDiff
package import SchemaDriver
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// `trellis accept`: records that a breaking change is intended.
package enum Accept: Verb {
  package static let name = "accept"
  package static let summary = "Record a breaking change as intended"
  package static let options: Set<String> = ["--reason", "--hop"]
  package static let flags: Set<String> = ["--dry-run"]
  package static let help = """
    Usage: trellis accept RULE DECL --reason TEXT [--hop A..B] [--dry-run] [PATH…]

    Adds 'accept RULE DECL -- "TEXT"' to the schema's 'migration from …' block, and creates the block if
    it is missing. RULE is a code or name, such as 'MIG011' or 'attribute-dropped'. DECL is the
    declaration as 'trellis verify' prints it, such as 'Trip.nickname'. The change must exist.

    PATH is a schema file, a Swift file with models, or a folder. The default is every schema below the
    current folder.

      --reason TEXT   why the change is intended, for readers of the schema
      --hop A..B      the migration step, such as '1.0.0..2.0.0', where B is the current version. Required
                      if several migration steps contain the change
      --dry-run       print the edit as a unified diff and write nothing

    Exits with 1 if there is no such change, and with 3 if a schema does not compile.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count >= 2 else {
      throw DriverFailure(["error: 'trellis accept' needs a rule and a declaration"], .usage)
    }
    let reason = try arguments.required("--reason").trimmed
    guard !reason.isEmpty, !reason.contains(where: \.isNewline) else {
      throw DriverFailure(["error: '--reason' must be a single line of text"], .usage)
    }
    let rule = try rule(arguments.files[0])
    let subject = arguments.files[1]
    let folders = try SchemaFolder.open(Array(arguments.files.dropFirst(2)), session)
    for folder in folders { try folder.requireCompiled() }
    var choices: [String] = []
    var found: [(stage: PlannedStage, folder: SchemaFolder, history: SchemaHistory)] = []
    let line = MigrationAcceptance(
      rule: rule.code, subject: subject, reason: reason, range: SourceRange(file: 0, start: 0, end: 0))
    var accepted: MigrationAcceptance?
    for folder in folders.map({ $0.addingVersionFiles() }) {
      for history in folder.histories {
        for stage in try stages(arguments["--hop"], history) {
          if let old = stage.acceptances.first(where: {
            $0.subject == subject && ($0.rule == rule.code || $0.rule == rule.name)
          }) {
            accepted = old
          } else if stage.changes.contains(where: { change in
            change.rules.contains { $0 == rule && line.accepts(change, $0) }
          }) {
            found.append((stage, folder, history))
          } else {
            choices += acceptable(stage)
          }
        }
      }
    }
    if found.isEmpty, let accepted {
      session.note("error: \(rule.code) \(subject) is already accepted: \(accepted.reason)\n")
      return .findings
    }
    guard Set(found.map(\.history.head.name)).count <= 1 else {
      let places = found.compactMap { $0.history.head.files.first?.path }.joined(separator: ", ")
      throw DriverFailure(
        ["error: several schemas contain '\(subject)': name one of the files (\(places))"], .usage)
    }
    guard found.count <= 1 else {
      let hops = found.map { "'--hop \($0.stage.from.version)..head'" }.joined(separator: ", ")
      throw DriverFailure(["error: '\(subject)' changes in several migration steps: choose one (\(hops))"], .usage)
    }
    if let (stage, folder, history) = found.first {
      try write(line, stage, folder, history, isDry: arguments.has("--dry-run"), &session)
      return .clean
    }
    let help =
      choices.isEmpty
      ? "no change in these schemas needs to be accepted"
      : "changes that can be accepted: "
        + choices.joined(separator: ", ")
    session.note("error: no change of '\(subject)' to accept as \(rule.code); \(help)\n")
    return .findings
  }

  private static func rule(_ text: String) throws(DriverFailure) -> DiagnosticID {
    let known = DiagnosticID.versionDiagnostics
    if let rule = known.first(where: { $0.code == text.uppercased() || $0.name == text }) { return rule }
    let meant =
      NearestName.find(text, in: known.flatMap { [$0.code, $0.name] })
      .map { "; did you mean '\($0)'?" } ?? ""
    throw DriverFailure(["error: there is no version rule '\(text)'\(meant)"], .usage)
  }

  /// Returns the stages to the head. Stages between released versions are omitted, because these cannot be edited.
  private static func stages(_ hop: String?, _ history: SchemaHistory) throws(DriverFailure) -> [PlannedStage] {
    let stages = history.stagesToHead
    guard let hop else { return stages }
    let to = history.head.version
    let named = stages.filter { hop == "\($0.from.version)..\(to)" || hop == "\($0.from.version)..head" }
    guard named.isEmpty else { return named }
    let known = stages.map { "\($0.from.version)..\(to)" }.joined(separator: " or ")
    throw DriverFailure(
      [
        "error: changes of '\(history.head.name)' can be accepted for "
          + "\(known.isEmpty ? "steps to a later version" : known), not for \(hop): released versions are not edited"
      ], .usage)
  }

  private static func acceptable(_ stage: PlannedStage) -> [String] {
    stage.changes.flatMap { change in
      change.rules.map { "\($0.code) \(change.subject.prefix { $0 != "[" && $0 != "(" })" }
    }
  }

  private static func write(
    _ acceptance: MigrationAcceptance, _ stage: PlannedStage, _ folder: SchemaFolder,
    _ history: SchemaHistory, isDry: Bool, _ session: inout Session
  ) throws {
    let trees = folder.schemaTrees(of: history)
    let from = stage.from.version
    guard let place = trees.first(where: { SchemaEdits.block(from: from, in: $0) != nil }) ?? trees.first else {
      return
    }
    let line = "accept \(acceptance.rule) \(acceptance.subject) -- \(SchemaEdits.literal(acceptance.reason))"
    var edits = HeadEdits(folder: folder)
    // Replace the suggestion that `trellis bump` wrote as a comment.
    let suggestion = SchemaEdits.suggestion("accept \(acceptance.rule) \(acceptance.subject) --", from: from, in: place)
    edits.edits.append(
      suggestion.map { TextEdit($0, line) } ?? SchemaEdits.addSteps([line], from: from, in: place))
    let errors = edits.compilation.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw DriverFailure([CompilerRenderer(files: edits.files).render(errors)], .findings)
    }
    try HeadEdits.finish([edits], isDry: isDry, &session)
    let report = "\(place.file.path): \(line)\n"
    if isDry { session.note(report) } else { session.say(report) }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...].drop { $0.isWhitespace }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
