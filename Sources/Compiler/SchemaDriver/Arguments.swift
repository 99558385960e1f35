import SchemaDiagnostics
import SchemaEmitter

/// A command line, parsed into options and files.
package struct Arguments: Sendable {
  package private(set) var options: [String: [String]] = [:]
  package private(set) var files: [String] = []
  private var flags: Set<String> = []
  package private(set) var wantsHelp = false

  /// - Parameters:
  ///   - names: The options that take a value, including dashes.
  ///   - flagNames: The options that take no value.
  package init(
    _ arguments: some Sequence<String>, options names: Set<String>, flags flagNames: Set<String> = []
  ) throws(DriverFailure) {
    var pending: String?
    var onlyFiles = false
    for argument in arguments {
      if let name = pending {
        options[name, default: []].append(argument)
        pending = nil
      } else if onlyFiles || !argument.hasPrefix("-") || argument == "-" {
        files.append(argument)
      } else if argument == "--" {
        onlyFiles = true
      } else if argument == "--help" || argument == "-h" {
        wantsHelp = true
      } else if names.contains(argument) {
        pending = argument
      } else if flagNames.contains(argument) {
        flags.insert(argument)
      } else if let equal = argument.firstIndex(of: "="),
        names.contains(String(argument[..<equal]))
      {
        let value = String(argument[argument.index(after: equal)...])
        options[String(argument[..<equal]), default: []].append(value)
      } else {
        let known = names.union(flagNames).union(["--help"]).ordered()
        let meant =
          NearestName.find(String(argument.prefix { $0 != "=" }), in: known)
          .map { "; did you mean '\($0)'?" } ?? ""
        throw DriverFailure(["error: unknown option '\(argument)'\(meant)"], .usage)
      }
    }
    if let pending { throw DriverFailure(["error: '\(pending)' needs a value"], .usage) }
  }

  /// Returns true if the flag was given.
  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The last value of an option.
  package subscript(_ name: String) -> String? { options[name]?.last }

  package func required(_ name: String) throws(DriverFailure) -> String {
    guard let value = self[name] else { throw DriverFailure(["error: '\(name)' is missing"], .usage) }
    return value
  }

  package func access(_ name: String = "--access") throws(DriverFailure) -> Access? {
    guard let text = self[name] else { return nil }
    guard let access = Access(rawValue: text) else {
      throw DriverFailure(["error: '\(name)' must be internal, package or public"], .usage)
    }
    return access
  }
}
