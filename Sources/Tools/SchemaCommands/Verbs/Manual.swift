package import SchemaDriver

/// `trellis manual`: prints the manual page.
package enum Manual: Verb {
  package static let name = "manual"
  package static let summary = "Print the manual page"
  package static let options: Set<String> = []
  package static let help = """
    Usage: trellis manual

    Prints the manual page, which contains the text of every verb's '--help':

      trellis manual > /usr/local/share/man/man1/trellis.1

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    session.say(ManualPage.text(CommandLineTool.verbs, version: ToolVersion.text))
    return .clean
  }
}
