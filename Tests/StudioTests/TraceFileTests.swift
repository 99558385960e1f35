import Foundation
import SampleTripsGolden
import StoreStudio
import TestSupport
import Testing
import Trellis

/// The view 'Statements': lines that an app appends to a trace file.
@Suite struct TraceFileTests {
  /// A trace file, and the studio's answers about it.
  private final class Trace {
    let folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
    let file: URL
    private let store: TripStore

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      file = folder.appending(path: "trace.jsonl")
      store = try TripStore(trips: 1)
      var companions = StudioCompanions()
      companions.trace = TraceFile(file.path)
      store.api = StudioAPI(try StudioStore(store.url), companions)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func append(_ text: String) throws {
      if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    }

    func answer(_ query: [String: String] = [:]) throws -> [String: Any] { try store.object("statements", query) }

    /// Returns the texts, each with the number of runs.
    func groups(_ order: String = "total") throws -> [String] {
      try #require(try answer(["order": order])["groups"] as? [[String: Any]]).map {
        "\($0["sql"] ?? "") \($0["count"] ?? "")"
      }
    }
  }

  private static func line(_ sql: String, _ seconds: Double, rows: Int = 1) -> String {
    "{\"sql\": \"\(sql)\", \"seconds\": \(seconds), \"rows\": \(rows), \"purpose\": \"fetch\"}\n"
  }

  @Test func statementsAreGroupedAndSorted() throws {
    let trace = try Trace()
    #expect(try trace.answer()["isThere"] as? Bool == false)
    try trace.append(Self.line("A", 0.5) + Self.line("B", 0.1) + Self.line("B", 0.3) + Self.line("C", 0.01, rows: 9))
    #expect(try trace.groups() == ["A 1", "B 2", "C 1"])
    #expect(try trace.groups("count") == ["B 2", "C 1", "A 1"])
    #expect(try trace.groups("mean") == ["A 1", "B 2", "C 1"])
    #expect(try trace.groups("rows") == ["C 1", "B 2", "A 1"])
    #expect(try trace.groups("last") == ["C 1", "B 2", "A 1"])
    let answer = try trace.answer()
    let group = try #require((answer["groups"] as? [[String: Any]])?[1])
    #expect(group["total"] as? Double == 0.4)
    #expect(group["longest"] as? Double == 0.3)
    #expect(group["purposes"] as? [String] == ["fetch"])
    let latest = try #require(answer["latest"] as? [[String: Any]])
    #expect(latest.map { $0["sql"] as? String } == ["C", "B", "B", "A"])
    // The page has this state already.
    #expect(try trace.answer(["known": answer["version"] as? String ?? ""])["groups"] == nil)
  }

  @Test func incompleteAndInvalidLinesAreTolerated() throws {
    let trace = try Trace()
    let line = Self.line("SELECT 1", 0.1)
    try trace.append("no JSON\n{\"sql\": 1}\n\n" + line + line.prefix(20))
    let answer = try trace.answer()
    #expect(answer["count"] as? Int == 1)
    #expect(answer["invalid"] as? Int == 2)
    try trace.append(String(line.dropFirst(20)))
    #expect(try trace.groups() == ["SELECT 1 2"])
    // A line of half a megabyte is left out, also if it arrives in two parts.
    try trace.append(String(repeating: "x", count: 300_000))
    #expect(try trace.groups() == ["SELECT 1 2"])
    try trace.append(String(repeating: "x", count: 200_000) + "\n" + line)
    #expect(try trace.groups() == ["SELECT 1 3"])
  }

  @Test func aTruncatedOrReplacedFileIsReadFromItsStart() throws {
    let trace = try Trace()
    try trace.append(Self.line("first statement", 0.1) + Self.line("second", 0.1))
    #expect(try trace.groups().count == 2)
    let handle = try FileHandle(forWritingTo: trace.file)
    try handle.truncate(atOffset: 0)
    try handle.close()
    try trace.append(Self.line("third", 0.1))
    #expect(try trace.groups() == ["third 1"])
    let other = trace.folder.appending(path: "other.jsonl")
    try (Self.line("fourth", 0.1) + Self.line("fifth", 0.2)).write(to: other, atomically: false, encoding: .utf8)
    #expect(rename(other.path, trace.file.path) == 0)
    #expect(try trace.groups() == ["fifth 1", "fourth 1"])
    try FileManager.default.removeItem(at: trace.file)
    #expect(try trace.answer()["isThere"] as? Bool == false)
  }

  @Test func theLastStatementsAreKept() throws {
    let trace = try Trace()
    try trace.append((0..<12_000).map { Self.line($0 < 6_000 ? "old" : "new", 0.1) }.joined())
    #expect(try Set(trace.groups()) == ["old 4000", "new 6000"])
    let answer = try trace.answer()
    #expect(answer["count"] as? Int == 12_000)
    #expect(answer["kept"] as? Int == 10_000)
    #expect((answer["latest"] as? [Any])?.count == 200)
    // Only the end of a large file is read.
    let text = String(repeating: "y", count: 900)
    try trace.append(String(repeating: Self.line(text, 0.1), count: 20_000))
    #expect(try trace.groups() == ["\(text) 10000"])
  }

  @Test func theArticlesExampleWritesTheFormat() throws {
    let examples = try Repository.examples(in: "Tests/StudioTests/TraceFileTests.swift")
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/LookingIntoAStore.md")
    #expect(examples.count == 2)
    for example in examples { #expect(article.contains(example), "not in the article:\n\(example)") }

    let trace = try Trace()
    let file = trace.file
    // example
    var configuration = ModelConfiguration()
    let url = URL.temporaryDirectory.appending(path: "trace.jsonl")
    configuration.trace = try traceListener(writingTo: url)
    // end
    configuration = ModelConfiguration(url: trace.folder.appending(path: "trips.store"))
    configuration.trace = try traceListener(writingTo: file)
    let context = ModelContext(try ModelContainer(for: Trip.self, configurations: configuration))
    context.insert(Trip(name: "a", destination: "b", startDate: .now, endDate: .now))
    try context.save()
    let answer = try trace.answer()
    #expect(answer["invalid"] as? Int == 0)
    let groups = try #require(answer["groups"] as? [[String: Any]])
    let insertion = try #require(groups.first { ($0["sql"] as? String)?.hasPrefix("INSERT INTO \"Trip\"") == true })
    #expect(insertion["purposes"] as? [String] == ["save"])
    #expect(insertion["rows"] as? Int == 1)
    let latest = try #require((answer["latest"] as? [[String: Any]])?.first)
    #expect(latest["store"] as? String == "default")
    #expect(abs((latest["time"] as? Double ?? 0) - Date.now.timeIntervalSince1970) < 600)
  }
}

// example
/// Appends a line of JSON for each statement to a file.
func traceListener(writingTo url: URL) throws -> @Sendable (TracedStatement) -> Void {
  struct Line: Encodable {
    let time = Date.now.timeIntervalSince1970
    let seconds: Double
    let sql: String
    let rows: Int
    let purpose: String
    let store: String
  }
  try Data().write(to: url)
  let file = try FileHandle(forWritingTo: url)
  return { statement in
    let line = Line(
      seconds: statement.duration / .seconds(1), sql: statement.sql, rows: statement.rows,
      purpose: statement.purpose.rawValue, store: statement.storeName)
    guard let json = try? JSONEncoder().encode(line) else { return }
    try? file.write(contentsOf: json + Data("\n".utf8))
  }
}
// end
