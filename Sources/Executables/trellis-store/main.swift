import Foundation
import SchemaCommands
import SchemaDriver
import StoreCommands

let outcome = StoreVerbs.run(
  Array(CommandLine.arguments.dropFirst()), isTerminal: isatty(STDOUT_FILENO) == 1, console: .process,
  report: { _ = StandardStream.write($0, to: STDERR_FILENO) })
let status = StandardStream.finish(outcome.status, output: outcome.findings, progress: outcome.progress)
exit(status.rawValue)
