/// One thing the program can do, made from its command line.
protocol Verb {
  static var name: String { get }
  /// What has to follow, in capitals.
  static var operands: String { get }
  /// One line, without a full stop.
  static var summary: String { get }
  /// What else is worth knowing.
  static var discussion: String { get }
  static var options: [Option] { get }
  /// Command lines without the program's name.
  static var examples: [String] { get }

  init(_ arguments: Arguments) throws
  func run(_ session: Session) throws
}

extension Verb {
  static var operands: String { "" }
  static var discussion: String { "" }
}
