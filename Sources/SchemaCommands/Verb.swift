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
  static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus
}
