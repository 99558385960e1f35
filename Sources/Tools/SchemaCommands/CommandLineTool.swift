import Foundation
import SchemaDiagnostics
package import SchemaDriver

/// The command-line tool `trellis`, independent of the process.
package enum CommandLineTool {
  /// The verbs, in help order.
  package static var verbs: [any Verb.Type] {
    [
      Init.self, Check.self, Watch.self, Lint.self, Rules.self, Format.self, Explain.self, Graph.self,
      Diff.self, Breaking.self, Verify.self, Freeze.self, Bump.self, Rename.self, Accept.self,
      Inspect.self, PreflightStore.self, StoreVerb.self, StudioVerb.self, Fixture.self, MigrateElsewhere.self,
      Generate.self,
      Import.self, Export.self, LanguageServerVerb.self,
      Completion.self, Manual.self,
    ]
  }

  package struct Outcome: Sendable {
    package var status: ExitStatus
    /// The text for standard output.
    package var findings: String
    /// The text for standard error.
    package var progress: String
  }

  /// Runs a verb.
  ///
  /// - Parameters:
  ///   - arguments: The command-line arguments that follow the executable.
  ///   - folder: The base of relative paths. Empty for the working directory.
  ///   - others: Verbs that replace built-in verbs of the same name.
  ///   - name: The executable's name.
  ///   - databases: Opens stores in databases.
  ///   - isTerminal: True if standard output is a terminal.
  ///   - console: The terminal, for verbs that print early or prompt. `nil` to return all output at the end.
  ///   - input: Reads standard input.
  ///   - report: Receives text for standard error immediately, for slow verbs. `nil` to return the text at the end.
  package static func run(
    _ arguments: [String], in folder: String = "", with others: [any Verb.Type] = [],
    named name: String = "trellis", databases: (any StoreDatabases)? = nil, isTerminal: Bool = false,
    console: Console? = nil,
    input: @escaping @Sendable () -> [UInt8] = { Array(FileHandle.standardInput.readDataToEndOfFile()) },
    report: (@Sendable (String) -> Void)? = nil
  ) -> Outcome {
    func makeSession(in folder: String) -> Session {
      Session(
        folder: folder, isTerminal: isTerminal, databases: databases, console: console, report: report, input: input)
    }
    var session = makeSession(in: folder)
    let verbs = verbs.map { verb in others.first { $0.name == verb.name } ?? verb }
    var arguments = arguments
    do {
      let options = try GlobalOptions(&arguments)
      if let root = options.root {
        let path = session.path(root)
        guard SchemaPaths.kind(of: path) == .folder else {
          throw DriverFailure(["\(path): error: '--root' must be an existing folder"], .usage)
        }
        session = makeSession(in: path)
      }
      let status = try run(arguments, options, verbs, name, &session)
      return Outcome(status: status, findings: session.findings, progress: session.progress)
    } catch let failure as DriverFailure {
      let text = failure.messages.joined(separator: "\n") + "\n"
      let makesDocument = verbs.first { $0.name == arguments.first }?.makesDocument ?? false
      // Errors in files are findings and go to standard output. Usage errors go to standard error.
      if failure.status == .usage || makesDocument { session.note(text) } else { session.say(text) }
      return Outcome(status: failure.status, findings: session.findings, progress: session.progress)
    } catch {
      // Errors in files and usage errors are handled above.
      session.note("internal error: \(error)\n")
      return Outcome(status: .internalError, findings: session.findings, progress: session.progress)
    }
  }

  private static func run(
    _ arguments: [String], _ options: GlobalOptions, _ verbs: [any Verb.Type], _ tool: String,
    _ session: inout Session
  ) throws -> ExitStatus {
    var arguments = arguments
    // Treat `help lint` as `lint --help`.
    if arguments.first == "help", arguments.count > 1 { arguments = [arguments[1], "--help"] }
    guard let name = arguments.first, !["--help", "-h", "help"].contains(name) else {
      session.say(help(verbs, tool))
      return .clean
    }
    if name == "--version" {
      session.say("\(tool) \(ToolVersion.text)\n")
      return .clean
    }
    guard let verb = verbs.first(where: { $0.name == name }) else {
      let meant = NearestName.find(name, in: verbs.map { $0.name }).map { "; did you mean '\($0)'?" } ?? ""
      throw DriverFailure(["error: unknown verb '\(name)'\(meant)", "'\(tool) help' lists the verbs"], .usage)
    }
    var parsed = try Arguments(arguments.dropFirst(), options: verb.options, flags: verb.flags)
    if parsed.wantsHelp {
      session.say(verb.help)
      return .clean
    }
    if options.isJSON {
      try options.checkJSON(verb, parsed, verbs)
      parsed = try Arguments(["--format", "json"] + arguments.dropFirst(), options: verb.options, flags: verb.flags)
    }
    return try verb.run(parsed, &session)
  }

  private static func help(_ verbs: [any Verb.Type], _ tool: String) -> String {
    let width = (verbs.map { $0.name.count }.max() ?? 0) + 2
    let lines = verbs.map {
      "  " + $0.name.padding(toLength: width, withPad: " ", startingAt: 0) + $0.summary
    }
    return """
      Usage: \(tool) VERB [options] [PATH…]

      \(lines.joined(separator: "\n"))

      Options of every verb:
        --root FOLDER  the base folder of relative paths (default: the current folder)
        --json         same as '--format json', for verbs that support it

      '\(tool) VERB --help' describes a verb. Exit codes: 0 success, 1 findings, 2 wrong usage or a
      missing file, 3 a schema does not parse or resolve, 70 internal error.

      """
  }
}
