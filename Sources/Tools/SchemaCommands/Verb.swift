import Foundation
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

extension Verb {
  /// No flags, as for most verbs.
  package static var flags: Set<String> { [] }
  package static var choices: [String: [String]] { [:] }
  package static var makesDocument: Bool { false }
}

extension Arguments {
  /// Returns the value of an option with a fixed set of values.
  package func choice<Choice: RawRepresentable<String>>(
    _ name: String, _ choices: [Choice]
  ) throws(DriverFailure) -> Choice? {
    try self.choices(name, choices).last
  }

  package func choices<Choice: RawRepresentable<String>>(
    _ name: String, _ choices: [Choice]
  ) throws(DriverFailure) -> [Choice] {
    var result: [Choice] = []
    for text in options[name] ?? [] {
      guard let choice = Choice(rawValue: text) else {
        let known = choices.map(\.rawValue).joined(separator: ", ")
        throw DriverFailure(["error: '\(name)' must be one of \(known)"], .usage)
      }
      result.append(choice)
    }
    return result
  }
}

extension Session {
  mutating func json(_ value: some Encodable) throws { say(try Self.json(value)) }

  /// JSON with sorted keys, so that equal values give equal bytes.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
