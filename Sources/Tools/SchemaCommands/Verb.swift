package import SchemaDriver

/// One thing the tool can do; each is a file of its own.
package protocol Verb {
  static var name: String { get }
  /// A few words for the list of verbs.
  static var summary: String { get }
  static var help: String { get }
  /// The options that take a value.
  static var options: Set<String> { get }
  /// Those that take none.
  static var flags: Set<String> { get }
  /// The words an option may be followed by, where its help does not list them with bars between.
  static var choices: [String: [String]] { get }
  /// Whether standard output is for what was made, so that what is wrong belongs on the other one.
  static var makesDocument: Bool { get }
  static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus
}
