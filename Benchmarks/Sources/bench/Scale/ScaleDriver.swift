import Foundation
import Trellis

/// A complete scale run, with a new process for each operation, size and round.
struct ScaleDriver {
  let options: ScaleOptions

  /// - Returns: The exit status.
  func run() throws -> Int32 {
    if options.wantsHelp {
      print(ScaleOptions.help)
      return 0
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trellis-scale-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let operations = ScaleOperation.all.filter {
      options.only.isEmpty || options.only.contains($0.name)
    }
    var report = ScaleReport(
      sizes: options.sizes, growth: options.growth, flat: options.flat,
      rows: operations.map(ScaleReport.Row.init))
    for size in options.sizes {
      for source in ScaleOperation.Source.allCases {
        for index in operations.indices where operations[index].source == source {
          Console.note("\(ScaleOptions.text(size)): \(operations[index].name)")
          report.rows[index].costs.append(try cost(of: operations[index], size, folder))
        }
        Self.remove(Self.store(source, size, folder))
      }
    }
    print(report.table)
    let json =
      options.json.map { URL(fileURLWithPath: $0) }
      ?? Child.ownExecutable.deletingLastPathComponent().appendingPathComponent("scale.json")
    try report.write(to: json)
    Console.note("results: \(json.path)")
    for failure in report.failures { print("missed: \(failure)") }
    return report.failures.isEmpty ? 0 : 1
  }

  private func cost(of operation: ScaleOperation, _ size: Int, _ folder: URL) throws -> Double {
    var costs: [Double] = []
    for _ in 0..<(size < 1_000_000 ? options.rounds : 1) {
      let arguments = ["scale", operation.name, "\(size)", folder.path]
      let outcome = try Child.run(Child.ownExecutable, arguments)
      if let problem = outcome.problem {
        throw RawFailure(description: "\(operation.name) at \(size) rows \(problem)")
      }
      costs.append(try JSONDecoder().decode(Double.self, from: outcome.output))
    }
    return costs.sorted()[costs.count / 2]
  }

  // MARK: Child process

  /// Runs an operation and prints the nanoseconds per row.
  static func execute(_ name: String, size text: String, in path: String) throws {
    guard let operation = ScaleOperation.all.first(where: { $0.name == name }) else {
      throw UsageFailure("unknown scale operation '\(name)'")
    }
    let size = try ScaleOptions.size(text)
    let folder = URL(fileURLWithPath: path)
    let source = store(operation.source, size, folder)
    if operation.source != .nothing, !FileManager.default.fileExists(atPath: source.path) {
      // The first process creates the store under a temporary name and renames it when it is complete.
      let unfinished = folder.appendingPathComponent("unfinished.store")
      remove(unfinished)
      try ScaleData.fill(operation.source, try open(unfinished), size)
      try FileManager.default.moveItem(at: unfinished, to: source)
      remove(unfinished)
    }
    var url = source
    if operation.changes {
      url = folder.appendingPathComponent("changed.store")
      remove(url)
      if operation.source != .nothing { try FileManager.default.copyItem(at: source, to: url) }
    }
    // Sync now, so that pending writes do not slow down the measurement.
    sync()
    defer { if operation.changes { remove(url) } }
    let cost = try operation.body(try open(url), size)
    FileHandle.standardOutput.write(try JSONEncoder().encode(cost.nanoseconds))
  }

  private static func open(_ url: URL) throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self, Place.self, Ticket.self, configurations: ModelConfiguration(url: url))
  }

  private static func store(_ source: ScaleOperation.Source, _ size: Int, _ folder: URL) -> URL {
    folder.appendingPathComponent("\(source)-\(size).store")
  }

  private static func remove(_ url: URL) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }
}
