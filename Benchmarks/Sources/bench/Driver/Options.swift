struct UsageFailure: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

/// The command-line options of a run.
struct Options {
  var rounds = 11
  var only: Set<String> = []
  var isCheck = false
  var json: String?
  /// The package whose builds are measured, instead of operations.
  var package: String?
  /// The PostgreSQL server whose store is measured, instead of operations.
  var postgres: String?
  /// True to measure whole builds alone.
  var onlyCold = false
  var wantsHelp = false
  var wantsList = false

  static let help = """
    Measures Trellis beside the same work in raw SQLite C calls and prints a table of ratios.

    bench [options]
      --rounds N    processes for each operation and side (11); the table shows medians
      --quick       the same as --rounds 5
      --only NAME   just this operation; may be repeated
      --check       fail when a row exceeds its limit by more than 10 %
      --json FILE   where the results go (beside the executable)
      --build ROOT  measure builds instead, of a package that is built in debug and release
      --cold        with --build, whole builds alone: CPU seconds, peak memory, size of the executable
      --postgres U  measure the server store instead, with the server at a URL
      --list        the names of the operations
      --scale …     measures the cost of a row at growing sizes instead; see 'bench --scale --help'

    bench build raw|ours FOLDER               the stores that 'measure' works on
    bench measure NAME raw|ours FOLDER [N]    one process's executions, or N, for a profiler
    """

  init(_ arguments: [String]) throws {
    var arguments = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = arguments.popFirst() else { throw UsageFailure("\(option) needs a value") }
      return value
    }
    while let option = arguments.popFirst() {
      switch option {
      case "--rounds":
        let text = try value(of: option)
        guard let number = Int(text), number > 0 else {
          throw UsageFailure("--rounds takes a positive number, not '\(text)'")
        }
        rounds = number
      case "--quick": rounds = 5
      case "--only":
        let name = try value(of: option)
        guard Report.names.contains(name) else {
          throw UsageFailure("no operation is called '\(name)'")
        }
        only.insert(name)
      case "--check": isCheck = true
      case "--json": json = try value(of: option)
      case "--build": package = try value(of: option)
      case "--postgres": postgres = try value(of: option)
      case "--cold": onlyCold = true
      case "--list": wantsList = true
      case "--help", "-h": wantsHelp = true
      default: throw UsageFailure("unknown option '\(option)'")
      }
    }
  }

  func includes(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
}
