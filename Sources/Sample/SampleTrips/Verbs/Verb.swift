/// A command, created from its arguments.
protocol Verb {
  static var name: String { get }
  /// The required operands in capitals.
  static var operands: String { get }
  /// A one-line description that does not end with a period.
  static var summary: String { get }
  /// Further details.
  static var discussion: String { get }
  static var options: [Option] { get }
  /// Command lines, excluding the program name.
  static var examples: [String] { get }

  init(_ arguments: Arguments) throws
  func run(_ session: Session) throws
}

extension Verb {
  static var operands: String { "" }
  static var discussion: String { "" }
}
