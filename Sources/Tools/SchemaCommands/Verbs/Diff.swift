import SchemaDiff
package import SchemaDriver
import SchemaReports

/// `trellis diff`: compares two versions of a schema.
package enum Diff: Verb {
  package static let name = "diff"
  package static let summary = "Compare two versions of a schema"
  package static let options: Set<String> = ["--format"]
  package static let flags: Set<String> = ["--exit-code"]
  package static let help = """
    Usage: trellis diff [--format text|json|markdown] [--exit-code] A..B [PATH…]
           trellis diff [--format text|json|markdown] [--exit-code] OLD NEW

    Lists the changes from A to B, each with the migration that older stores need, the rule that applies,
    and the kinds of compatibility that it breaks. A and B are versions ('1.0.0..2.0.0'), 'head' for the
    current files, or Git revisions ('git:main..git:HEAD'), which are read without a checkout. By default,
    A is the newest released version and B is 'head', so 'trellis diff ..' lists the unreleased changes.
    Renames are followed through intermediate versions.

    OLD and NEW are schema files or folders.
    PATH is a schema file or a folder. The default is every schema below the current folder.

      --exit-code   exit with 1 if there is a change

    Exits with 3 if a schema does not compile.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let reports = try comparison(arguments.files, session).reports()
    switch format {
    case .text: session.say(reports.map(\.text).joined(separator: "\n"))
    case .markdown: session.say(reports.map(\.markdown).joined(separator: "\n"))
    case .json:
      if reports.count == 1 { try session.json(reports[0]) } else { try session.json(reports) }
    }
    let isEmpty = reports.allSatisfy(\.changes.isEmpty)
    return arguments.has("--exit-code") && !isEmpty ? .findings : .clean
  }

  private enum Format: String, CaseIterable { case text, json, markdown }

  private static func comparison(_ files: [String], _ session: Session) throws -> Comparison {
    if let first = files.first, let (old, new) = Revision.range(first, session) {
      return try Comparison(from: old, to: new, paths: Array(files.dropFirst()), session)
    }
    guard files.count == 2 else {
      throw DriverFailure(
        ["error: 'trellis diff' needs two versions, such as '1.0.0..head', or two schema files or folders"], .usage)
    }
    for file in files where SchemaPaths.kind(of: session.path(file)) == nil {
      throw DriverFailure(["\(file):1:1: error: no such file"], .usage)
    }
    return try Comparison(from: .path(files[0]), to: .path(files[1]), paths: [], session)
  }
}
