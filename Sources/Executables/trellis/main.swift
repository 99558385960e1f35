import Foundation
import SchemaCommands
import SchemaDriver
import SchemaServer

let arguments = Array(CommandLine.arguments.dropFirst())
// The verbs that need the runtime or libpq are in separate tools, which replace this process.
if let executable = Bundle.main.executableURL, let tool = StoreTool.neighbor(for: arguments, of: executable) {
  let words = [tool.path] + arguments
  words.withCStrings { _ = execv(tool.path, $0) }
}
let outcome = CommandLineTool.run(
  arguments, with: [LanguageServer.self], isTerminal: isatty(STDOUT_FILENO) == 1, console: .process)
let status = StandardStream.finish(outcome.status, output: outcome.findings, progress: outcome.progress)
exit(status.rawValue)

extension [String] {
  /// Calls `body` with an array of C strings that ends in a null pointer.
  fileprivate func withCStrings(_ body: ([UnsafeMutablePointer<CChar>?]) -> Void) {
    let strings = map { strdup($0) }
    defer { for string in strings { free(string) } }
    body(strings + [nil])
  }
}
