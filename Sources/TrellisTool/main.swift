import Foundation
import SchemaCommands
import SchemaDriver

let outcome = CommandLineTool.run(Array(CommandLine.arguments.dropFirst()))
FileHandle.standardOutput.write(Data(outcome.findings.utf8))
FileHandle.standardError.write(Data(outcome.progress.utf8))
exit(outcome.status.rawValue)
