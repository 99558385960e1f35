import Foundation
import SchemaCommands
import SchemaDriver

let outcome = CommandLineTool.run(
  Array(CommandLine.arguments.dropFirst()), isTerminal: isatty(STDOUT_FILENO) == 1, console: .process)
let status = StandardStream.finish(outcome.status, output: outcome.findings, progress: outcome.progress)
exit(status.rawValue)
