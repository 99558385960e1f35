import SchemaModel
import SchemaSyntax

/// The Swift file with a migration plan's functions, which contain the SwiftData stages as comments.
struct MigrationCode {
  struct Step {
    var name: String
    var from: SchemaVersion
    var to: SchemaVersion
    /// The stage's source text; nil if there is no stage.
    var stage: String?
  }

  let schema: String
  let steps: [Step]

  var text: String {
    var lines = [
      "import Trellis", "",
      "// The custom migration steps of '\(schema)'. Each function receives the old rows ('migration.old') and the new",
      "// rows ('migration.new'). Until it is implemented, the migration fails and leaves the store unchanged.",
      "extension \(schema)MigrationPlan {",
    ]
    for step in steps {
      lines.append("  /// From \(step.from) to \(step.to).")
      lines.append("  public static func \(step.name)(_ migration: MigrationRows) throws {")
      if let stage = step.stage {
        lines.append("    // The stage in the SwiftData source:")
        lines.append("    //")
        lines += Self.comment(stage)
      }
      lines.append("    throw \(error)(step: \"\(step.name)\")")
      lines += ["  }", ""]
    }
    lines.removeLast()
    lines += ["}", "", "private struct \(error): Error {", "  let step: String", "}"]
    return lines.joined(separator: "\n") + "\n"
  }

  // The error type has the plan's access level, which is public in a library.

  private var error: String { "\(schema)MigrationCodeIsMissing" }

  /// Formats text as comment lines with a function body's indentation.
  private static func comment(_ text: String) -> [String] {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let margin =
      lines.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix { $0 == " " || $0 == "\t" }.count }.min() ?? 0
    return lines.enumerated().map { number, line in
      let rest = number == 0 ? line : line.dropFirst(min(margin, line.prefix { $0 == " " || $0 == "\t" }.count))
      return rest.isEmpty ? "    //" : "    // \(rest)"
    }
  }
}
