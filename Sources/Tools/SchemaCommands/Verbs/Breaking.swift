import SchemaDiagnostics
import SchemaDiff
package import SchemaDriver
import SchemaReports

/// `trellis breaking`: lists breaking changes since a version.
package enum Breaking: Verb {
  package static let name = "breaking"
  package static let summary = "list the changes that break something, against a version"
  package static let options: Set<String> = ["--against", "--axes", "--fail-on", "--format"]
  package static let flags: Set<String> = []
  package static let help = """
    Usage: trellis breaking --against X [--axes AXIS,…] [--fail-on error|warning]
                            [--format text|json|markdown] [PATH…]

    Lists the changes since X that break something on one of the axes:

      STORE      the new program does not open the older store without being told something
      READBACK   the previous program cannot read or write what the new one wrote
      CODEC      older snapshots and exports do not decode
      HISTORY    consumers cannot go on from old history tokens
      SYNC       devices with the older version do not come to the same result
      SOURCE     Swift that is written against the models does not compile

    X is a version ('1.0.0'), a git revision ('git:main'), a file or a folder. PATH is a schema file or a
    folder; without one it is every schema below this folder.

      --axes       some of them, with commas between (all)
      --fail-on    error: ends with 1 where rows are lost or need code or a value; warning: where
                   anything is listed (warning)

    Ends with 3 when one of the schemas does not compile.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    let limit = try arguments.choice("--fail-on", [Severity.error, .warning]) ?? .warning
    let axes = try axes(arguments["--axes"])
    let against = try arguments.required("--against")
    guard let old = Revision(against, session) else {
      throw DriverFailure(
        ["error: '\(against)' is no version, no git revision ('git:main'), no file and no folder"], .usage)
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
        throw DriverFailure(["error: '--axes' is some of \(known)"], .usage)
      }
      axes.insert(axis)
    }
    return axes
  }
}
