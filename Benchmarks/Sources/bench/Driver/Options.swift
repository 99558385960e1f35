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
  /// The package to build, if builds are measured instead of operations.
  var package: String?
  /// The PostgreSQL server, if the server store is measured instead of operations.
  var postgres: String?
  /// True to measure only full builds.
  var onlyCold = false
  var wantsHelp = false
  var wantsList = false

  static let help = """
    Compares Trellis with the same work in raw SQLite C calls and prints a table of ratios.

    bench [options]
      --rounds N    processes for each operation and side (default: 11); the table shows medians
      --quick       same as --rounds 5
      --only NAME   run only this operation; can be repeated
      --check       fail if a row exceeds the limit by more than 10 %
      --json FILE   the file for the results (default: next to the executable)
      --build ROOT  measure builds instead, using a package that is built in debug and release mode
      --cold        with --build, measure only full builds: CPU seconds, peak memory and executable size
      --postgres U  measure the server store instead, with the server at a URL
      --list        list the operations
      --scale …     measure the cost per row at growing sizes instead; see 'bench --scale --help'

    bench build raw|ours FOLDER               create the stores that 'measure' uses
    bench measure NAME raw|ours FOLDER [N]    run an operation in this process N times, for a profiler

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
          throw UsageFailure("--rounds must be a positive number, not '\(text)'")
        }
        rounds = number
      case "--quick": rounds = 5
      case "--only":
        let name = try value(of: option)
        guard Report.names.contains(name) else {
          throw UsageFailure("unknown operation '\(name)'")
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
