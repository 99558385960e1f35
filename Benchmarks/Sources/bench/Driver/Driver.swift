import Foundation

/// A complete run: builds the stores, measures both sides of each operation alternately, and reports the results.
struct Driver {
  let options: Options

  /// - Returns: The exit status.
  func run() throws -> Int32 {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trellis-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    var report = Report(rounds: options.rounds, load: Self.load)
    if let load = report.load, load > 1 {
      Console.note("The machine is busy (load \(load)): do not trust the times.")
    }
    if let package = options.package {
      let builds = BuildRows(
        package: URL(fileURLWithPath: package), folder: folder, rounds: min(options.rounds, 3),
        onlyCold: options.onlyCold)
      report.rows = try builds.measure()
      return try finish(report)
    }
    if let postgres = options.postgres {
      Console.note("building the tables")
      if let problem = try Child.run(Child.ownExecutable, ["postgres-build", postgres]).problem {
        throw RawFailure(description: "building the tables \(problem)")
      }
      for row in PostgresRow.all where options.includes(row.name) {
        Console.note(row.name)
        report.rows.append(try row.measure(rounds: options.rounds, postgres))
      }
      return try finish(report)
    }
    let operations = Operation.all.filter { options.includes($0.name) }
    var problem: String?
    let histories = HistoryRow.all.filter { options.includes($0.name) }
    if operations.contains(where: { [.full, .copy, .indexed].contains($0.fixture) })
      || histories.contains(where: \.needsFullStore)
    {
      problem = try build("build", in: folder)
    }
    if problem == nil, operations.contains(where: { $0.fixture == .million }) {
      problem = try build("build-million", in: folder)
    }
    for (number, operation) in operations.enumerated() {
      Console.note("[\(number + 1)/\(operations.count)] \(operation.name) ", end: "")
      let isBlocked = operation.fixture != .empty && operation.fixture != .stations
      report.rows.append(try row(operation, folder, blockedBy: isBlocked ? problem : nil))
      Console.note("")
    }
    for generator in GeneratorRow.all where options.includes(generator.name) {
      Console.note(generator.name)
      report.rows.append(
        try GeneratorRow.measure(generator, rounds: options.rounds, in: folder))
    }
    for editing in EditingRow.all where options.includes(editing.name) {
      Console.note(editing.name)
      report.rows.append(try editing.measure(rounds: options.rounds, in: folder))
    }
    let studios = Set(StudioRow.all.map(\.name).filter(options.includes))
    if !studios.isEmpty { report.rows += try StudioRow.measure(studios, rounds: options.rounds, in: folder) }
    let openings = Set(OpeningRow.all.map(\.name).filter(options.includes))
    if !openings.isEmpty {
      Console.note("opening a store of 100 models")
      report.rows += try OpeningRow.measure(openings, rounds: options.rounds, in: folder)
    }
    let migrations = Set(MigrationRow.all.map(\.name).filter(options.includes))
    if !migrations.isEmpty {
      report.rows += try MigrationRow.measure(migrations, rounds: options.rounds, in: folder)
    }
    let transfers = Set(TransferRow.all.map(\.name).filter(options.includes))
    if !transfers.isEmpty { report.rows += try TransferRow.measure(transfers, rounds: options.rounds, in: folder) }
    for history in histories {
      Console.note(history.name)
      report.rows.append(try history.measure(rounds: options.rounds, in: folder))
    }
    return try finish(report)
  }

  /// Builds the stores that both sides read. Returns the reason if the Trellis store cannot be built.
  private func build(_ command: String, in folder: URL) throws -> String? {
    for side in [Side.raw, .ours] {
      Console.note("building the \(side) stores")
      let outcome = try Child.run(Child.ownExecutable, [command, side.rawValue, folder.path])
      if let problem = outcome.problem {
        let reason = "building the \(side) stores \(problem)"
        guard side == .ours else { throw RawFailure(description: reason) }
        return reason
      }
    }
    return nil
  }

  private func row(_ operation: Operation, _ folder: URL, blockedBy problem: String?) throws -> Row {
    var row = Row(
      name: operation.name, title: operation.title, unit: operation.unit.rawValue,
      limit: operation.limit, isAbsolute: operation.isAbsolute, unavailable: problem)
    for round in 0..<options.rounds {
      // Alternate which side is first, so that neither side benefits from warm caches.
      let sides: [Side] = round % 2 == 0 ? [.raw, .ours] : [.ours, .raw]
      var checksums: [Side: String] = [:]
      for side in sides where side != .ours || row.unavailable == nil {
        let measurement = try Child.measure(operation, side, folder)
        if let reason = measurement.unavailable {
          guard side == .ours else { throw RawFailure(description: "\(operation.name): \(reason)") }
          row.unavailable = reason
        } else {
          checksums[side] = measurement.checksum
          switch side {
          case .raw: row.raw += measurement.values
          case .ours: row.ours += measurement.values
          }
        }
      }
      if let raw = checksums[.raw], let ours = checksums[.ours], raw != ours {
        row.mismatch = "raw found \(raw), ours \(ours)"
      }
      Console.note(".", end: "")
      if row.unavailable != nil || row.mismatch != nil { break }
    }
    return row
  }

  private func finish(_ report: Report) throws -> Int32 {
    print(report.table)
    let json =
      options.json.map { URL(fileURLWithPath: $0) }
      ?? Child.ownExecutable.deletingLastPathComponent().appendingPathComponent("bench.json")
    try report.write(to: json)
    Console.note("results: \(json.path)")
    var isGood = report.rows.allSatisfy { $0.mismatch == nil }
    if options.isCheck {
      let failures = report.failures
      isGood = isGood && failures.isEmpty
      for failure in failures { print("missed: \(failure)") }
    }
    return isGood ? 0 : 1
  }

  private static var load: Double? {
    (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?
      .split(separator: " ").first.flatMap { Double($0) }
  }
}
