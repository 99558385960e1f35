import Foundation
import PostgresCommands
import SchemaCommands
import SchemaDriver

let outcome = PostgresVerbs.run(Array(CommandLine.arguments.dropFirst()), isTerminal: isatty(STDOUT_FILENO) == 1)
let status = StandardStream.finish(outcome.status, output: outcome.findings, progress: outcome.progress)
exit(status.rawValue)
