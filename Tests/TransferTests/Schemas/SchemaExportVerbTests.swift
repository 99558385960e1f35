import SchemaDriver
import Foundation
import SchemaCommands
import StoreCommands
import TestSupport
import Testing

/// Tests of `trellis export --schema`.
@Suite struct SchemaExportVerbTests {
  private static let path = Repository.root.appending(path: "Schemas/Several").path(percentEncoded: false)

  private static func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path(percentEncoded: false))
  }

  private static func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  @Test func aFileIsWrittenAndKept() throws {
    try Self.inFolder { folder in
      let arguments = ["export", "--schema", Self.path, "--to", "json", "--output", "several.json"]
      #expect(CommandLineTool.run(arguments, in: folder).status == .clean)
      let file = folder + "/several.json"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.hasPrefix("{\n  \"entities\" : [") && text.hasSuffix("}\n"))
      // Writing the same text again replaces nothing.
      #expect(CommandLineTool.run(arguments, in: folder).status == .clean)
      try Self.write("mine", to: file)
      let refused = CommandLineTool.run(arguments, in: folder)
      #expect(refused.status == .usage && refused.progress.contains("'--force'"), "\(refused.progress)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
      #expect(CommandLineTool.run(arguments + ["--force"], in: folder).status == .clean)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
      try Self.write("schema S 1.0.0\n", to: folder + "/S.schema")
      let schema = CommandLineTool.run(
        ["export", "--schema", Self.path, "--to", "json", "--output", "S.schema", "--force"], in: folder)
      #expect(schema.status == .usage)
      #expect(try String(contentsOfFile: folder + "/S.schema", encoding: .utf8) == "schema S 1.0.0\n")
    }
  }

  @Test(arguments: [
    (["--to", "pdf"], "'--to'"), ([], "'--to' is missing"), (["--to", "csv"], "'--to'"),
    (["--to", "json", "--dialect", "sqlite"], "'--dialect' applies only to '--to sql'"),
    (["--to", "sql", "--dialect", "oracle"], "'--dialect'"),
    (["--to", "json", "--where", "Trip: true"], "'--where'"),
    (["--to", "json", "--format", "json"], "'--output FILE'"),
  ])
  func wrongUsageIsExplained(_ arguments: [String], _ expected: String) {
    let outcome = StoreVerbs.run(["export", "--schema", Self.path] + arguments)
    #expect(outcome.status == .usage && outcome.progress.contains(expected), "\(outcome.progress)")
    #expect(outcome.findings.isEmpty)
  }

  @Test func aToolWithoutTheRuntimeNamesTheOther() {
    for form in ["sql", "json-schema"] {
      let outcome = CommandLineTool.run(["export", "--schema", Self.path, "--to", form])
      #expect(outcome.status == .usage && outcome.progress.contains("trellis-store export"), "\(outcome.progress)")
    }
    let postgres = StoreVerbs.run(["export", "--schema", Self.path, "--to", "sql", "--dialect", "postgres"])
    #expect(postgres.status == .usage && postgres.progress.contains("'trellis-postgres'"), "\(postgres.progress)")
  }

  @Test func severalSchemasNeedAFile() throws {
    try Self.inFolder { folder in
      try Self.write("schema A 1.0.0\n\n@Model\nclass One {\n    var a: Int\n}\n", to: folder + "/A.schema")
      try Self.write("schema B 1.0.0\n\n@Model\nclass Two {\n    var b: Int\n}\n", to: folder + "/B.schema")
      let both = CommandLineTool.run(["export", "--schema", ".", "--to", "json"], in: folder)
      #expect(both.status == .usage && both.progress.contains("'A', 'B'"), "\(both.progress)")
      let one = CommandLineTool.run(["export", "--schema", "B.schema", "--to", "json"], in: folder)
      #expect(one.status == .clean && one.findings.contains("\"name\" : \"B\""))
      let diagram = CommandLineTool.run(["export", "--schema", ".", "--to", "plantuml"], in: folder)
      #expect(diagram.findings.contains("class \"One\" as n0") && diagram.findings.contains("class \"Two\" as n1"))
    }
  }

  @Test func theReportIsJSON() throws {
    try Self.inFolder { folder in
      try Self.write(
        "schema A 1.0.0\n\n@Model\nclass One {\n    @Attribute(.json) var a: [Int]\n}\n", to: folder + "/A.schema")
      let outcome = CommandLineTool.run(
        ["export", "--schema", "A.schema", "--to", "swiftdata", "--output", "A.swift", "--format", "json"], in: folder)
      #expect(outcome.status == .findings)
      let notes = try JSONSerialization.jsonObject(with: Data(outcome.findings.utf8)) as? [[String: Any]]
      #expect(notes?.count == 1 && notes?[0]["line"] as? Int == 5)
      #expect(notes?[0]["message"] as? String == "SwiftData has no syntax for a storage option")
    }
  }
}
