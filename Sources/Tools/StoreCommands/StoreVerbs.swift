package import SchemaCommands
import StoreStudio

/// `trellis-store`: the `trellis` tool, linked with the runtime.
package enum StoreVerbs {
  /// The verbs that need the runtime.
  package static var implementations: [any Verb.Type] {
    [WriteFixture.self, ImportData.self, ExportRows.self, RunStoreAction.self, OpenStudio.self]
  }

  /// Runs a verb.
  ///
  /// - Parameters:
  ///   - arguments: The command-line arguments that follow the executable.
  ///   - folder: The base of relative paths. Empty for the working directory.
  ///   - isTerminal: True if standard output is a terminal.
  ///   - console: The terminal, for verbs that print early or prompt. `nil` to return all output at the end.
  ///   - report: Receives text for standard error immediately. `nil` to return it at the end.
  package static func run(
    _ arguments: [String], in folder: String = "", isTerminal: Bool = false, console: Console? = nil,
    report: (@Sendable (String) -> Void)? = nil
  ) -> CommandLineTool.Outcome {
    CommandLineTool.run(
      arguments, in: folder, with: implementations, named: StoreTool.name, isTerminal: isTerminal, console: console,
      report: report)
  }
}
