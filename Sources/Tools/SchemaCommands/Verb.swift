import Foundation
package import SchemaDriver

/// A command of the tool. Each verb is declared in a separate file.
package protocol Verb {
  static var name: String { get }
  /// A short description for the verb list.
  static var summary: String { get }
  static var help: String { get }
  /// The options that take a value.
  static var options: Set<String> { get }
  /// The options that take no value.
  static var flags: Set<String> { get }
  /// The permitted option values that the help text does not list in the form `a|b`.
  static var choices: [String: [String]] { get }
  /// True if the verb prints a document, so that errors go to standard error.
  static var makesDocument: Bool { get }
  static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus
}

extension Verb {
  /// The default: no flags.
  package static var flags: Set<String> { [] }
  package static var choices: [String: [String]] { [:] }
  package static var makesDocument: Bool { false }
}

extension Arguments {
  /// Returns the value of an option that has a fixed set of values.
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
  package mutating func json(_ value: some Encodable) throws { say(try Self.json(value)) }

  /// Encodes a value as JSON with sorted keys, so that equal values produce equal bytes.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
