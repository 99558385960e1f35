import Foundation
import SchemaDriver
import SchemaLint

/// The output formats and destinations of findings: `--output sarif:findings.sarif --output github:-`.
struct ReportOutputs {
  private var outputs: [(format: ReportFormat, path: String)] = []
  private let colored: Bool

  static let options: Set<String> = ["--format", "--output", "--color"]
  static let choices = [
    "--format": ReportFormat.allCases.map(\.rawValue), "--color": ["auto", "always", "never"],
  ]

  init(_ arguments: Arguments, _ session: Session) throws(DriverFailure) {
    let color = arguments["--color"] ?? "auto"
    guard ["auto", "always", "never"].contains(color) else {
      throw DriverFailure(["error: '--color' must be auto, always or never"], .usage)
    }
    // Follow the NO_COLOR convention.
    let isPlain = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    colored = color == "always" || color == "auto" && session.isTerminal && !isPlain
    for text in arguments.options["--output"] ?? [] {
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]) else {
        let known = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw DriverFailure(
          ["error: '--output' must be FORMAT:FILE, with '-' for standard output; formats are \(known)"], .usage)
      }
      outputs.append((format, parts[1]))
    }
    let named = try arguments.choice("--format", ReportFormat.allCases)
    if named != nil || outputs.isEmpty {
      outputs.append((named ?? (session.isTerminal ? .text : .compact), "-"))
    }
    var places: Set<String> = []
    for output in outputs {
      let place =
        output.path == "-"
        ? "-" : URL(fileURLWithPath: session.path(output.path)).standardizedFileURL.resolvingSymlinksInPath().path
      guard places.insert(place).inserted else {
        throw DriverFailure(
          [
            output.path == "-"
              ? "error: standard output accepts a single format; write the other formats to files"
              : "error: '\(output.path)' accepts a single format; write the other formats to separate files"
          ], .usage)
      }
    }
  }

  /// True if standard output receives a text format.
  var isForPeople: Bool {
    outputs.contains { $0.path == "-" && ($0.format == .text || $0.format == .compact) }
  }

  func write(_ result: LintResult, _ session: inout Session) throws {
    var transaction = FileTransaction()
    for output in outputs {
      let isShown = output.path == "-"
      let text = try output.format.render(result, colored: isShown && colored, tool: ToolVersion.text)
      if isShown {
        session.say(text)
      } else {
        transaction.write(Array(text.utf8), to: session.path(output.path))
      }
    }
    try transaction.commit()
  }
}
