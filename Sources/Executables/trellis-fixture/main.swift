import FixtureCommands
import Foundation
import SchemaCommands
import SchemaDriver

// `trellis-fixture` runs the verb that needs the runtime. The verb name is optional.
var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first != Fixture.name { arguments.insert(Fixture.name, at: 0) }
let outcome = CommandLineTool.run(
  arguments, with: [Fixture.self], isTerminal: isatty(STDOUT_FILENO) == 1,
  report: { _ = StandardStream.write($0, to: STDERR_FILENO) })
let status = StandardStream.finish(outcome.status, output: outcome.findings, progress: outcome.progress)
exit(status.rawValue)
