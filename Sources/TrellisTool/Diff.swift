import Foundation
import SchemaDiagnostics
import SchemaDiff
import SchemaDriver
import SchemaModel

/// `trellis diff`: what changed between two versions of a schema.
enum Diff: Verb {
  static let name = "diff"
  static let summary = "compare two versions of a schema"
  static let options: Set<String> = ["--format"]
  static let flags: Set<String> = ["--exit-code"]
  static let help = """
    Usage: trellis diff [--format text|json] [--exit-code] OLD NEW

    Lists what changed from OLD to NEW, each of them a schema file or a folder of schema files, and
    what each change asks of those who have stores of the older version.

      --exit-code   ends with 1 when there is a change

    Ends with 3 when one of the schemas does not compile.

    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    guard arguments.files.count == 2 else {
      throw DriverFailure(["error: 'trellis diff' needs the old schema and the new one"], .usage)
    }
    let old = try schemas(arguments.files[0])
    let new = try schemas(arguments.files[1])
    let reports = pairs(old, new).map { DiffReport(from: $0, to: $1) }
    switch format {
    case .text: Output.findings(reports.map(\.text).joined(separator: "\n"))
    case .json:
      if reports.count == 1 { try Output.json(reports[0]) } else { try Output.json(reports) }
    }
    let isEmpty = reports.allSatisfy(\.changes.isEmpty)
    return arguments.has("--exit-code") && !isEmpty ? .findings : .clean
  }

  private enum Format: String, CaseIterable { case text, json }

  private static func schemas(_ path: String) throws -> [ResolvedSchema] {
    let files = try SchemaReader.read(try SchemaPaths.files([path], verb: name)).get()
    let compilation = SchemaCompiler.compile(files)
    guard !compilation.hasErrors else {
      let errors = compilation.diagnostics.filter { $0.severity == .error }
      let report = CompilerRenderer(files: files).render(errors)
      throw DriverFailure([String(report.dropLast())], .unparsable)
    }
    return compilation.schemas
  }

  /// One schema on each side is compared whatever its name; of several, those of one name, and what
  /// is on one side only with an empty schema.
  private static func pairs(
    _ old: [ResolvedSchema], _ new: [ResolvedSchema]
  ) -> [(ResolvedSchema, ResolvedSchema)] {
    if old.count == 1, new.count == 1 { return [(old[0], new[0])] }
    return Set((old + new).map(\.name)).sorted().compactMap { name in
      let before = old.first { $0.name == name }
      let after = new.first { $0.name == name }
      guard let some = before ?? after else { return nil }
      let empty = ResolvedSchema(name: name, version: some.version)
      return (before ?? empty, after ?? empty)
    }
  }
}
