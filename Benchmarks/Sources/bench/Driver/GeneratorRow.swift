import Foundation

/// Measures `trellis generate` on schemas with ten properties per model.
struct GeneratorRow {
  var name: String
  var models: Int
  var limit: Double?
  var tool = Child.ownExecutable.deletingLastPathComponent().appendingPathComponent("trellis")

  static let all = [
    GeneratorRow(name: "generate-50", models: 50, limit: 300),
    GeneratorRow(name: "generate", models: 1000, limit: 250),
  ]

  static func measure(_ generator: GeneratorRow, rounds: Int, in folder: URL) throws -> Row {
    var row = Row(
      name: generator.name, title: "\(generator.name), \(generator.models) models", unit: "ms",
      limit: generator.limit, isAbsolute: true)
    guard FileManager.default.isExecutableFile(atPath: generator.tool.path) else {
      row.unavailable = "'\(generator.tool.path)' does not exist"
      return row
    }
    let schema = folder.appendingPathComponent("Large.schema")
    try Data(SyntheticSchema.large(models: generator.models).utf8).write(to: schema)
    for round in 0..<rounds {
      let output = folder.appendingPathComponent("\(generator.name)-\(round)")
      let arguments = ["generate", "--out", output.path, "--module", "Large", schema.path]
      let (outcome, time) = try Sample.time { try Child.run(generator.tool, arguments) }
      if let problem = outcome.problem {
        row.unavailable = "'trellis generate' \(problem)"
        return row
      }
      guard let files = try? FileManager.default.contentsOfDirectory(atPath: output.path),
        files.count >= 2
      else {
        row.unavailable = "'trellis generate' wrote nothing"
        return row
      }
      row.ours.append(time)
    }
    return row
  }
}
