import SchemaDiagnostics
package import SchemaDriver

/// `trellis lsp`: serves editors.
package enum LanguageServerVerb: Verb {
  package static let name = "lsp"
  package static let summary = "Serve editors over the language server protocol"
  package static let options: Set<String> = []
  package static let flags: Set<String> = ["--stdio"]
  package static let help = """
    Usage: trellis lsp

    Speaks the language server protocol over standard input and output: diagnostics while typing, fixes,
    completion, hover, definitions, references, symbols, renaming, formatting, folding, inlay hints and
    code lenses. Editors start it; 'Editors' in the repository contains their settings.

      --stdio   accepted, because some editors add it; standard input and output are always used

    Exits with 0 after 'shutdown' and 'exit', and with 1 if the editor disconnects before.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    throw DriverFailure(["error: this tool is built without the language server; call 'trellis lsp'"], .usage)
  }
}
