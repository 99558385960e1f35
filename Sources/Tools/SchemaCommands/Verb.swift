package import SchemaDriver

/// A command of the tool. Each verb has its own file.
package protocol Verb {
  static var name: String { get }
  /// A short description for the list of verbs.
  static var summary: String { get }
  static var help: String { get }
  /// The options that take a value.
  static var options: Set<String> { get }
  /// The options that take no value.
  static var flags: Set<String> { get }
  /// The permitted values of options, if the help text does not list them with bars.
  static var choices: [String: [String]] { get }
  /// True if standard output contains a generated document, so that errors go to standard error.
  static var makesDocument: Bool { get }
  static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus
}
