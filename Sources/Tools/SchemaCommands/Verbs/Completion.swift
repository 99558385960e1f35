package import SchemaDriver

/// `trellis completion`: prints a completion script for a shell.
package enum Completion: Verb {
  package static let name = "completion"
  package static let summary = "Print a completion script for a shell"
  package static let options: Set<String> = []
  package static let help = """
    Usage: trellis completion bash|zsh|fish

    Prints a completion script. './run install' in a checkout of Trellis installs all three scripts.

      bash   source <(trellis completion bash)
      zsh    trellis completion zsh > FOLDER/_trellis, with FOLDER in $fpath
      fish   trellis completion fish > ~/.config/fish/completions/trellis.fish

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let known = CompletionScript.allCases.map(\.rawValue).joined(separator: ", ")
    guard arguments.files.count == 1, let script = CompletionScript(rawValue: arguments.files[0]) else {
      throw DriverFailure(["error: 'trellis completion' needs a shell: \(known)"], .usage)
    }
    session.say(script.text(CommandLineTool.verbs))
    return .clean
  }
}
