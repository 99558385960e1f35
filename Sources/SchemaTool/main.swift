import Foundation
import SchemaCommands
import SchemaDriver

let outcome = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()), isTerminal: isatty(STDOUT_FILENO) == 1)
FileHandle.standardOutput.write(Data(outcome.findings.utf8))
FileHandle.standardError.write(Data(outcome.progress.utf8))
exit(outcome.status.rawValue)
