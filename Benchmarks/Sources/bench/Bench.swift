import Foundation

/// Compares Trellis with the same work in SQLite C calls.
///
///     bench [--rounds N] [--quick] [--only NAME]… [--check] [--json FILE] [--list]
///     bench --scale [--sizes 10k,100k,1M] [--growth 3] [--flat 4]
@main
struct Bench {
  static func main() {
    do {
      exit(try run(Array(CommandLine.arguments.dropFirst())))
    } catch let failure as UsageFailure {
      Console.note("bench: \(failure.message); see 'bench --help'")
      exit(2)
    } catch {
      Console.note("bench: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws -> Int32 {
    switch arguments.first {
    case "build" where arguments.count == 3:
      try Fixtures(folder: URL(fileURLWithPath: arguments[2])).build(try side(arguments[1]))
      return 0
    case "build-million" where arguments.count == 3:
      try Fixtures(folder: URL(fileURLWithPath: arguments[2])).buildMillion(try side(arguments[1]))
      return 0
    case "measure" where arguments.count == 4 || arguments.count == 5:
      guard var operation = Operation.all.first(where: { $0.name == arguments[1] }) else {
        throw UsageFailure("unknown operation '\(arguments[1])'")
      }
      if arguments.count == 5, let samples = Int(arguments[4]), samples > 0 {
        operation.samples = samples
      }
      let fixtures = Fixtures(folder: URL(fileURLWithPath: arguments[3]))
      let measurement = Measurement(operation, try side(arguments[2]), in: fixtures)
      FileHandle.standardOutput.write(try JSONEncoder().encode(measurement))
      return 0
    case "open" where arguments.count == 2:
      let times = try OpeningRow.open(URL(fileURLWithPath: arguments[1]))
      FileHandle.standardOutput.write(try JSONEncoder().encode(times))
      return 0
    case "migrate-build" where arguments.count == 4:
      guard let hop = MigrationWork.Hop(rawValue: arguments[1]), let rows = Int(arguments[2]) else {
        throw UsageFailure("unknown migration '\(arguments[1])'")
      }
      try MigrationWork.build(hop, rows: rows, URL(fileURLWithPath: arguments[3]))
      return 0
    case "migrate" where arguments.count == 4:
      guard let hop = MigrationWork.Hop(rawValue: arguments[1]) else {
        throw UsageFailure("unknown migration '\(arguments[1])'")
      }
      let result = try MigrationWork.execute(hop, try side(arguments[2]), URL(fileURLWithPath: arguments[3]))
      FileHandle.standardOutput.write(try JSONEncoder().encode(result))
      return 0
    case "history" where arguments.count == 4:
      let times = try HistoryRow.execute(
        arguments[1], HistoryRow.Sides(arguments[2]), URL(fileURLWithPath: arguments[3]))
      FileHandle.standardOutput.write(try JSONEncoder().encode(times))
      return 0
    case "transfer" where arguments.count == 4:
      guard let work = TransferWork(rawValue: arguments[1]) else {
        throw UsageFailure("unknown transfer '\(arguments[1])'")
      }
      let result = try work.execute(try side(arguments[2]), URL(fileURLWithPath: arguments[3]))
      FileHandle.standardOutput.write(try JSONEncoder().encode(result))
      return 0
    case "build-usage" where arguments.count == 3:
      let usage = try BuildUsage.execute(arguments[1], arguments[2])
      FileHandle.standardOutput.write(try JSONEncoder().encode(usage))
      return 0
    case "postgres-build" where arguments.count == 2:
      try PostgresWork.build(arguments[1])
      return 0
    case "postgres" where arguments.count == 3:
      let values = try PostgresRow.execute(arguments[1], arguments[2])
      FileHandle.standardOutput.write(try JSONEncoder().encode(values))
      return 0
    case "--scale":
      return try ScaleDriver(options: ScaleOptions(arguments.dropFirst())).run()
    case "scale" where arguments.count == 4:
      try ScaleDriver.execute(arguments[1], size: arguments[2], in: arguments[3])
      return 0
    default:
      let options = try Options(arguments)
      if options.wantsHelp {
        print(Options.help)
        return 0
      }
      if options.wantsList {
        for name in Report.names { print(name) }
        return 0
      }
      return try Driver(options: options).run()
    }
  }

  private static func side(_ name: String) throws -> Side {
    guard let side = Side(rawValue: name) else {
      throw UsageFailure("a side must be 'raw' or 'ours', not '\(name)'")
    }
    return side
  }
}
