import FixtureCommands
import Foundation
import SchemaCommands
import SchemaDriver

// `trellis-fixture`, the one verb that needs the runtime. Its name may be written, too.
var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first != Fixture.name { arguments.insert(Fixture.name, at: 0) }
let outcome = CommandLineTool.run(arguments, with: [Fixture.self], isTerminal: isatty(STDOUT_FILENO) == 1)
let status = StandardStream.finish(outcome.status, output: outcome.findings, progress: outcome.progress)
exit(status.rawValue)
