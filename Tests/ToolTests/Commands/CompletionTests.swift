import Foundation
import SchemaCommands
import SchemaDriver
import TestSupport
import Testing

/// Tests of completion scripts and the manual page.
@Suite struct CompletionTests {
  @Test func everyVerbAndOptionIsIncluded() throws {
    try play { place in
      for shell in ["bash", "zsh", "fish"] {
        let text = place.run("completion", shell).text
        for verb in CommandLineTool.verbs {
          #expect(text.contains(verb.name), "\(shell) \(verb.name)")
          for option in verb.options.union(verb.flags) {
            #expect(
              text.contains(shell == "fish" ? "-l \(option.dropFirst(2))" : option), "\(shell) \(verb.name) \(option)")
          }
        }
      }
      #expect(place.run("completion", "tcsh").status == .usage)
      let manual = place.run("manual").text
      for verb in CommandLineTool.verbs { #expect(manual.contains("\n.SH \(verb.name.uppercased())\n")) }
    }
  }

  /// Runs the script in its shell.
  @Test func bashCompletion() throws {
    try play { place in
      try place.write("script", place.run("completion", "bash").text)
      func completed(_ words: String...) throws -> [String] {
        let line =
          "COMP_WORDS=(trellis \(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count); "
          + "compopt() { :; }; _trellis; printf '%s\\n' \"${COMPREPLY[@]}\""
        let process = Program.command("bash", ["-c", "source ./script; " + line])
        process.currentDirectoryURL = place.root
        return try Program.output(of: process).split(separator: "\n").map(String.init)
      }
      #expect(try completed("li") == ["lint"])
      #expect(try completed("lint", "--prof") == ["--profile"])
      #expect(try completed("diff", "--format", "j") == ["json"])
      #expect(try completed("lint", "scr") == ["script"])
    }
  }
}
