import Foundation

/// Compares build times for models in a Swift file and the same models in a schema file, in debug mode.
///
/// The models have twelve properties. A score is the Swift file's time divided by the schema file's time.
struct SwiftModelRows {
  let compiler: (_ place: URL) -> ModuleCompiler
  let folder: URL
  let rounds: Int

  private enum Input: String { case schema, swift }

  func measure() throws -> [Row] {
    // The first build fills the module cache.
    _ = try compile(.swift, models: 1, round: -1)
    return [try cold(), try edit()]
  }

  /// The time per model for twenty models. The time for a module with a single model is subtracted, because it includes
  /// the compiler launch.
  private func cold() throws -> Row {
    var row = row("swift-model-cold", "model in a Swift file, cold")
    for round in 0..<rounds {
      let schema = try compile(.schema, models: 21, round: round) - compile(.schema, models: 1, round: round)
      let swift = try compile(.swift, models: 21, round: round) - compile(.swift, models: 1, round: round)
      row.raw.append(schema / 20)
      row.ours.append(swift / 20)
      Console.note(String(format: "%.3f/%.3f s ", swift / 20, schema / 20), end: "")
    }
    Console.note("")
    return row
  }

  /// The time from saving a file with a single model to a compiled module.
  private func edit() throws -> Row {
    var row = row("swift-model-edit", "edit of a model in a Swift file")
    for round in 0..<rounds {
      let (schema, swift) = (try edit(.schema, round: round), try edit(.swift, round: round))
      row.raw.append(schema)
      row.ours.append(swift)
      Console.note(String(format: "%.2f/%.2f s ", swift, schema), end: "")
    }
    Console.note("")
    return row
  }

  private func row(_ name: String, _ title: String) -> Row {
    var row = Row(name: name, title: title, unit: "s", limit: 2)
    row.isPaired = true
    Console.note("\(name) ", end: "")
    return row
  }

  private func compile(_ input: Input, models: Int, round: Int) throws -> Double {
    let place = try place(input, models, round)
    defer { try? FileManager.default.removeItem(at: place) }
    return try build(input, in: place).compile(output(place))
  }

  private func edit(_ input: Input, round: Int) throws -> Double {
    let place = try place(input, 1, round)
    defer { try? FileManager.default.removeItem(at: place) }
    _ = try build(input, in: place).compile(output(place))
    let file = file(input, in: place)
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(
      text.replacingOccurrences(of: "  var title: String\n", with: "  var title: String\n  var subtitle: String?\n")
        .utf8
    ).write(to: file)
    return try Sample.time { try build(input, in: place).compile(output(place)) }.1 / 1000
  }

  private func build(_ input: Input, in place: URL) throws -> ModuleCompiler {
    let compiler = compiler(place)
    try compiler.generate(file(input, in: place), access: "internal", into: output(place))
    return compiler
  }

  private func place(_ input: Input, _ models: Int, _ round: Int) throws -> URL {
    let place = folder.appendingPathComponent("\(input.rawValue)-\(models)-\(round)")
    try FileManager.default.createDirectory(at: output(place), withIntermediateDirectories: true)
    try Data(Self.text(input, models).utf8).write(to: file(input, in: place))
    return place
  }

  private func output(_ place: URL) -> URL { place.appendingPathComponent("Large") }

  /// Compiles a Swift file together with the generated files.
  private func file(_ input: Input, in place: URL) -> URL {
    input == .swift
      ? output(place).appendingPathComponent("Classes.swift") : place.appendingPathComponent("Large.schema")
  }

  private static func text(_ input: Input, _ models: Int) -> String {
    let initializer = """

        init(code: String, title: String, created: Date, identifier: UUID) {
          self.code = code
          self.title = title
          self.created = created
          self.identifier = identifier
        }

      """
    let head = input == .swift ? "import Foundation\nimport Trellis\n" : "schema Large 1.0.0\n"
    return head
      + (0..<models).map { number in
        """

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
          var identifier: UUID
          var address: URL?
          var words: [String] = []
          @Relationship(inverse: nil) var parent: Model\((number + models - 1) % models)?
        \(input == .swift ? initializer : "")}

        """
      }.joined()
  }
}
