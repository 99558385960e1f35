import Foundation

/// Measures the compile time that predicates add to a file, in debug mode.
struct PredicateRows {
  let compiler: (_ place: URL) -> ModuleCompiler
  let folder: URL
  let rounds: Int

  private static let sizes = [2, 4, 8, 16]

  func measure() throws -> [Row] {
    // The first build fills the module cache.
    _ = try compile(terms: 0, round: -1)
    return try Self.sizes.map { size in
      var row = Row(
        name: "predicate-\(size)", title: "predicate of \(size) mixed terms", unit: "s",
        limit: size == 16 ? 2 : nil, isAbsolute: true)
      Console.note("\(row.name) ", end: "")
      for round in 0..<rounds {
        let time = try compile(terms: size, round: round) - compile(terms: 0, round: round)
        row.ours.append(time)
        Console.note(String(format: "%.2f s ", time), end: "")
      }
      Console.note("")
      return row
    }
  }

  private func compile(terms: Int, round: Int) throws -> Double {
    let place = folder.appendingPathComponent("predicate-\(terms)-\(round)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let schema = place.appendingPathComponent("Large.schema")
    try Data(Self.schema.utf8).write(to: schema)
    let compiler = compiler(place)
    let output = place.appendingPathComponent("Large")
    try compiler.generate(schema, access: "internal", into: output)
    try Data(Self.program(terms).utf8).write(to: output.appendingPathComponent("Program.swift"))
    return try compiler.compile(output)
  }

  private static let schema = """
    @Model
    class Trip {
      var name: String
      var note: String?
      var days: Int
      var start: Date
      var end: Date?
      var cost: Double
      var isOpen: Bool
      var owner: Person?
    }
    @Model
    class Person {
      var name: String
      var age: Int?
      var trips: [Trip] = []
    }
    """

  private static let terms = [
    #"$0.name == text"#, #"$0.note != nil"#, #"$0.days + 1 > 3"#, #"$0.start < day"#, #"$0.owner?.name == "Ada""#,
    #"($0.owner?.age ?? 0) >= 18"#, #"$0.name.contains("a")"#, #"$0.cost * 2 < 100"#,
  ]

  private static func program(_ count: Int) -> String {
    let condition = (0..<max(count, 1)).map { terms[$0 % terms.count] }.joined(separator: " && ")
    let value = count == 0 ? "nil" : "#Predicate<Trip> { \(condition) }"
    return """
      import Foundation
      import Trellis

      func predicate(text: String, day: Date) -> Predicate<Trip>? { \(value) }
      """
  }
}
