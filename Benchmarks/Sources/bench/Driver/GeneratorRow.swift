import Foundation

/// The row of the generator: `trellis generate` on a schema of 1,000 models with ten properties each.
enum GeneratorRow {
  static let name = "generate"

  static func measure(rounds: Int, in folder: URL) throws -> Row {
    var row = Row(
      name: name, title: "generate 1,000 models", unit: "ms",
      bars: Bars(first: 1000, must: 1000, aim: 250), isAbsolute: true)
    let tool = Child.ownExecutable.deletingLastPathComponent().appendingPathComponent("trellis")
    guard FileManager.default.isExecutableFile(atPath: tool.path) else {
      row.unavailable = "there is no 'trellis' beside this program"
      return row
    }
    let schema = folder.appendingPathComponent("Large.schema")
    try Data(text(models: 1000).utf8).write(to: schema)
    for round in 0..<rounds {
      let output = folder.appendingPathComponent("generated-\(round)")
      let arguments = ["generate", "--out", output.path, "--module", "Large", schema.path]
      let (outcome, time) = try Sample.time { try Child.run(tool, arguments) }
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

  /// Each model has eight attributes, a reference to the model before it and a list of the next.
  private static func text(models: Int) -> String {
    var text = "schema Large 1.0.0\n"
    for number in 0..<models {
      let next = (number + 1) % models
      text += """

        /// Model number \(number).
        @Model
        class Model\(number) {
          @Attribute(.unique) var code: String
          var title: String
          var summary: String?
          var created: Date
          var amount: Double = 0
          var position: Int = 0
          var isActive: Bool = true
          var payload: Data?
          var parent: Model\((number + models - 1) % models)?
          @Relationship(deleteRule: .cascade, inverse: \\Model\(next).parent)
          var children: [Model\(next)] = []
        }

        """
    }
    return text
  }
}
