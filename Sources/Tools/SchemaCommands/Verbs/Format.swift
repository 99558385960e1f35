import SchemaDiagnostics
package import SchemaDriver
import SchemaFormat
import SchemaSyntax

/// `trellis format`: formats schema files in the canonical layout.
package enum Format: Verb {
  package static let name = "format"
  package static let summary = "Rewrite schema files in the canonical layout"
  package static let options: Set<String> = ["--path", "--lines"]
  package static let flags: Set<String> = ["--check", "--diff"]
  package static let help = """
    Usage: trellis format [--check] [--diff] [--lines A:B] [PATH…]

    Rewrites schema files in the canonical layout: an indentation of four spaces, at most
    \(SchemaFormatter.lineLimit) columns, attributes in front of their declaration if the line fits into
    \(SchemaFormatter.attributeLineLimit) columns, and a blank line between types. Comments, the order of declarations,
    and the text of expressions and bodies are kept. The meaning and fingerprint of a schema never change.

      --check       list the files that would change, write nothing, and exit with 1 if there are any
      --diff        print the changes as a unified diff and write nothing
      -             format standard input to standard output
      --lines A:B   change only these lines of a single file, and lines that must change with them
      --path NAME   the name of standard input in messages (default: <stdin>)

    Without PATH, all schema files below the current folder are formatted. Changed files are listed on
    standard error and are written together or not at all. A file that does not parse is left unchanged:
    its errors are printed on standard error, the remaining files are formatted, and the exit code is 3.
    Released versions, the files below 'versions', are never changed, even if you name them.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    if arguments.files.contains("-") { return try runInput(arguments, &session) }
    guard arguments["--path"] == nil else {
      throw DriverFailure(["error: '--path' can only be used with '-'"], .usage)
    }
    let lines = try Self.lines(arguments)
    var status = ExitStatus.clean
    var changed: [(old: SourceFile, new: [UInt8])] = []
    let paths = Set(try SchemaPaths.files(arguments.files, session)).sorted()
    guard lines == nil || paths.count == 1 else {
      throw DriverFailure(["error: '--lines' applies to a single file, but \(paths.count) were given"], .usage)
    }
    for path in paths {
      guard !SchemaFolder.isReleased(SchemaFolder.folder(of: path)) else {
        session.note("\(path): note: a released version is never changed\n")
        continue
      }
      let (file, new, problem) = read(SchemaReader.read([path]).map { $0.first }, lines)
      if let problem {
        session.note(problem.messages.joined(separator: "\n") + "\n")
        status = max(status, problem.status)
      } else if let file, let new, new != file.bytes {
        changed.append((file, new))
      }
    }
    if arguments.has("--diff") {
      for file in changed {
        session.say(UnifiedDiff.text(from: file.old.bytes, to: file.new, path: file.old.path))
      }
    } else if arguments.has("--check") {
      for file in changed { session.say("\(file.old.path)\n") }
    } else {
      var transaction = FileTransaction()
      for file in changed { transaction.write(file.new, to: file.old.path) }
      try transaction.commit()
      for file in changed { session.note("\(file.old.path): formatted\n") }
      return status
    }
    return arguments.has("--check") && !changed.isEmpty ? max(status, .findings) : status
  }

  private static func runInput(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments.files.count == 1 else {
      throw DriverFailure(["error: '-' cannot be combined with files"], .usage)
    }
    let name = arguments["--path"] ?? "<stdin>"
    let lines = try Self.lines(arguments)
    let (file, new, problem) = read(
      SchemaReader.check(SourceFile(path: name, bytes: session.input())).map { $0 }, lines)
    guard let file, let new else {
      session.note((problem?.messages ?? []).joined(separator: "\n") + "\n")
      return problem?.status ?? .unparsable
    }
    if arguments.has("--diff") {
      session.say(UnifiedDiff.text(from: file.bytes, to: new, path: name))
    } else if !arguments.has("--check") {
      session.say(String(decoding: new, as: UTF8.self))
    }
    return arguments.has("--check") && new != file.bytes ? .findings : .clean
  }

  private static func lines(_ arguments: Arguments) throws -> FormattedLines? {
    guard let text = arguments["--lines"] else { return nil }
    guard let lines = FormattedLines(text) else {
      throw DriverFailure(["error: '--lines' must be 'A:B' with line numbers that begin at 1"], .usage)
    }
    return lines
  }

  /// Returns a file and its canonical text, or the error that prevents formatting.
  ///
  /// - Parameter lines: The lines to format, or nil for all lines.
  private static func read(
    _ result: Result<SourceFile?, DriverFailure>, _ lines: FormattedLines?
  ) -> (file: SourceFile?, new: [UInt8]?, problem: DriverFailure?) {
    switch result {
    case .failure(let failure): return (nil, nil, failure)
    case .success(nil): return (nil, nil, nil)
    case .success(let file?):
      let (tree, diagnostics) = Parser.parse(file, index: 0)
      if diagnostics.hasErrors {
        let errors = CompilerRenderer(files: [file]).render(diagnostics.filter { $0.severity == .error })
        return (nil, nil, DriverFailure([String(errors.dropLast())], .unparsable))
      }
      if let new = SchemaFormatter.format(tree) {
        return (file, lines?.select(from: file.bytes, to: new, format: canonical) ?? new, nil)
      }
      return (
        nil, nil,
        DriverFailure(
          ["\(file.path):1:1: error: formatting would change the meaning of the schema; the file was not changed"],
          .unparsable)
      )
    }
  }

  private static func canonical(_ bytes: [UInt8]) -> [UInt8]? {
    let (tree, diagnostics) = Parser.parse(SourceFile(path: "", bytes: bytes), index: 0)
    return diagnostics.hasErrors ? nil : SchemaFormatter.format(tree)
  }
}
