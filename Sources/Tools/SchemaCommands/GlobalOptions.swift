import SchemaDriver

/// Options that all verbs share.
struct GlobalOptions {
  /// The base folder of relative paths.
  private(set) var root: String?
  /// True if `--format json` is given.
  private(set) var isJSON = false

  /// Removes the global options from the arguments before `--`.
  init(_ arguments: inout [String]) throws(DriverFailure) {
    var rest: [String] = []
    var position = 0
    while position < arguments.count, arguments[position] != "--" {
      let argument = arguments[position]
      position += 1
      if argument == "--json" {
        isJSON = true
      } else if argument == "--root" {
        guard position < arguments.count else { throw DriverFailure(["error: '--root' needs a value"], .usage) }
        root = arguments[position]
        position += 1
      } else if argument.hasPrefix("--root=") {
        root = String(argument.dropFirst("--root=".count))
      } else {
        rest.append(argument)
      }
    }
    arguments = rest + arguments[position...]
  }

  func checkJSON(_ verb: any Verb.Type, _ arguments: Arguments, _ verbs: [any Verb.Type]) throws(DriverFailure) {
    guard verb.hasJSON else {
      let known = verbs.filter { $0.hasJSON }.map { $0.name }.joined(separator: ", ")
      throw DriverFailure(["error: 'trellis \(verb.name)' does not support '--json'; these verbs do: \(known)"], .usage)
    }
    if let format = arguments["--format"], format != "json" {
      throw DriverFailure(["error: '--json' and '--format \(format)' cannot be combined"], .usage)
    }
  }
}

extension Verb {
  /// True if `--format` accepts `json`.
  static var hasJSON: Bool { formats.contains("json") }
}
