import SchemaDiagnostics
import SchemaDiff
package import SchemaDriver
import SchemaReports

/// `trellis breaking`: lists breaking changes since a version.
package enum Breaking: Verb {
  package static let name = "breaking"
  package static let summary = "List breaking changes since a version"
  package static let options: Set<String> = ["--against", "--axes", "--fail-on", "--format"]
  package static let flags: Set<String> = []
  package static let help = """
    Usage: trellis breaking --against X [--axes AXIS,…] [--fail-on error|warning]
                            [--format text|json|markdown] [PATH…]

    Lists the changes since X that break compatibility on one of these axes:

      STORE      the new app version cannot open older stores without migration steps
      READBACK   the previous app version cannot read or write rows of the new version
      CODEC      older snapshots and exports cannot be decoded
      HISTORY    consumers cannot continue from old history tokens
      SYNC       devices with the older version reach a different result
      SOURCE     Swift code that uses the models does not compile

    X is a version ('1.0.0'), a Git revision ('git:main'), a file or a folder.
    PATH is a schema file or a folder. The default is every schema below the current folder.

      --axes       only these axes, separated by commas (default: all)
      --fail-on    error: exit with 1 if rows are lost or need code or a value; warning: exit with 1 if
                   any change is listed (default: warning)

    Exits with 3 if a schema does not compile.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let limit = try arguments.choice("--fail-on", [Severity.error, .warning]) ?? .warning
    let axes = try axes(arguments["--axes"])
    let against = try arguments.required("--against")
    guard let old = Revision(against, session) else {
      throw DriverFailure(
        ["error: '\(against)' is not a version, a Git revision ('git:main'), a file or a folder"], .usage)
    }
    let comparison = try Comparison(from: old, to: .head, paths: arguments.files, session)
    let reports = comparison.reports(breaking: axes)
    switch format {
    case .text: session.say(reports.map(\.text).joined(separator: "\n"))
    case .markdown: session.say(reports.map(\.markdown).joined(separator: "\n"))
    case .json:
      if reports.count == 1 { try session.json(reports[0]) } else { try session.json(reports) }
    }
    let found = reports.flatMap(\.changes)
    let fails = limit == .warning ? !found.isEmpty : found.contains { $0.effect != ChangeEffect.automatic.rawValue }
    return fails ? .findings : .clean
  }

  private enum Format: String, CaseIterable { case text, json, markdown }

  private static func axes(_ text: String?) throws(DriverFailure) -> Set<BreakingAxis> {
    guard let text else { return Set(BreakingAxis.allCases) }
    var axes: Set<BreakingAxis> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let axis = BreakingAxis(rawValue: word.uppercased()) else {
        let known = BreakingAxis.allCases.map(\.rawValue).joined(separator: ", ")
        throw DriverFailure(["error: '--axes' must be a list of: \(known)"], .usage)
      }
      axes.insert(axis)
    }
    return axes
  }
}
