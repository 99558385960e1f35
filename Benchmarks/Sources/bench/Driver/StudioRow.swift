import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Measures `trellis-store studio` with a table of 10,000,000 rows: the time of a page, and the peak memory.
struct StudioRow {
  enum Value { case page, memory }

  var name: String
  var title: String
  var value: Value
  var limit: Double

  static let all = [
    StudioRow(name: "studio-page", title: "200 of 10,000,000 rows in the studio", value: .page, limit: 100),
    StudioRow(name: "studio-memory", title: "the same, peak memory", value: .memory, limit: 64),
  ]

  private static let count = 10_000_000

  /// Measures all rows in one run of the studio.
  static func measure(_ names: Set<String>, rounds: Int, in folder: URL) throws -> [Row] {
    Console.note("looking into 10,000,000 rows")
    var rows = all.filter { names.contains($0.name) }.map { row in
      Row(name: row.name, title: row.title, unit: row.value == .page ? "ms" : "MiB", limit: row.limit, isAbsolute: true)
    }
    let tool = Child.ownExecutable.deletingLastPathComponent().appendingPathComponent("trellis-store")
    guard FileManager.default.isExecutableFile(atPath: tool.path) else {
      for index in rows.indices { rows[index].unavailable = "'\(tool.path)' does not exist" }
      return rows
    }
    let studio = try Studio(tool, store: try store(tool, in: folder))
    defer { studio.stop() }
    var times: [Double] = []
    for round in 0..<rounds {
      // Pages at the beginning, in the middle, and in descending order.
      let middle = count / rounds * round
      for query in ["", "&after=\(middle).n", "&after=\(middle).n&descending=1"] {
        times.append(try Sample.time { try studio.get("api/rows?entity=Item\(query)", expecting: "\"rows\"") }.1)
      }
    }
    for index in rows.indices {
      switch all.first(where: { $0.name == rows[index].name })?.value {
      case .page: rows[index].ours = times
      case .memory: rows[index].ours = [studio.peakMemory]
      case nil: break
      }
    }
    return rows
  }

  /// Returns a store whose rows SQLite has written.
  private static func store(_ tool: URL, in folder: URL) throws -> URL {
    let place = folder.appendingPathComponent("studio")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let (schema, store) = (place.appendingPathComponent("Items.schema"), place.appendingPathComponent("items.store"))
    let text = """
      schema Items 1.0.0

      @Model
      class Item {
          var title: String
          var amount: Int
          var weight: Double?
      }

      """
    try Data(text.utf8).write(to: schema)
    let outcome = try Child.run(tool, ["fixture", "--rows", "1", "--force", "--output", store.path, schema.path])
    if let problem = outcome.problem { throw RawFailure(description: "'trellis-store fixture' \(problem)") }
    try Database(store).run(
      """
      PRAGMA journal_mode = OFF; DELETE FROM Item;
      INSERT INTO Item (id, title, amount, weight)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      SELECT i, 'Item ' || i, i % 1000, CASE WHEN i % 3 = 0 THEN NULL ELSE i * 0.37 END FROM n;
      """)
    return store
  }
}

/// A running studio and its address.
private final class Studio {
  private let process = Process()
  private let address: String

  init(_ tool: URL, store: URL) throws {
    let messages = Pipe()
    process.executableURL = tool
    process.arguments = ["studio", "--no-open", store.path]
    process.standardError = messages
    try process.run()
    var text = ""
    while text.firstMatch(of: /http:\S+\n/) == nil {
      let bytes = messages.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw RawFailure(description: "the studio ended: \(text)") }
      text += String(decoding: bytes, as: UTF8.self)
    }
    address = text.firstMatch(of: /http:\S+/).map { String($0.0) } ?? ""
  }

  func get(_ path: String, expecting text: String) throws {
    guard let url = URL(string: address + path) else { throw RawFailure(description: "no address: \(path)") }
    let answer = try Data(contentsOf: url)
    guard answer.range(of: Data(text.utf8)) != nil else {
      throw RawFailure(description: "the studio answered \(String(decoding: answer.prefix(200), as: UTF8.self))")
    }
  }

  /// In MiB.
  var peakMemory: Double {
    let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropLast().last).flatMap { Double($0) }.map { $0 / 1_024 } ?? 0
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
