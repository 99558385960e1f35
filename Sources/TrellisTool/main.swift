import Foundation
import SchemaDriver

/// What `trellis` can do, in the order in which help lists it.
func verbs() -> [any Verb.Type] { [Check.self, Lint.self, Diff.self, Generate.self] }

func help() -> String {
  let verbs = verbs()
  let width = (verbs.map { $0.name.count }.max() ?? 0) + 2
  let lines = verbs.map {
    "  " + $0.name.padding(toLength: width, withPad: " ", startingAt: 0) + $0.summary
  }
  return """
    Usage: trellis VERB [options] FILES…

    \(lines.joined(separator: "\n"))

    'trellis VERB --help' says more. Exit codes: 0 clean, 1 findings, 2 wrong usage or missing
    file, 3 a schema does not parse or resolve.

    """
}

func run(_ arguments: [String]) throws -> ExitStatus {
  guard let name = arguments.first else {
    throw DriverFailure(["error: a verb is missing", help()], .usage)
  }
  if name == "--help" || name == "-h" || name == "help" {
    Output.findings(help())
    return .clean
  }
  guard let verb = verbs().first(where: { $0.name == name }) else {
    throw DriverFailure(["error: unknown verb '\(name)'", help()], .usage)
  }
  let parsed = try Arguments(arguments.dropFirst(), options: verb.options, flags: verb.flags)
  if parsed.wantsHelp {
    Output.findings(verb.help)
    return .clean
  }
  return try verb.run(parsed)
}

do {
  exit(try run(Array(CommandLine.arguments.dropFirst())).rawValue)
} catch let failure as DriverFailure {
  let text = failure.messages.joined(separator: "\n") + "\n"
  // What is wrong in a file is a finding; what is wrong with the call is not.
  if failure.status == .usage { Output.progress(text) } else { Output.findings(text) }
  exit(failure.status.rawValue)
}
