import Foundation
import SchemaDriver

extension Verb {
  /// No flags, as for most verbs.
  package static var flags: Set<String> { [] }
  package static var choices: [String: [String]] { [:] }
  package static var makesDocument: Bool { false }
}

extension Arguments {
  /// Returns the value of an option with a fixed set of values.
  func choice<Choice: RawRepresentable<String>>(
    _ name: String, _ choices: [Choice]
  ) throws(DriverFailure) -> Choice? {
    try self.choices(name, choices).last
  }

  func choices<Choice: RawRepresentable<String>>(
    _ name: String, _ choices: [Choice]
  ) throws(DriverFailure) -> [Choice] {
    var result: [Choice] = []
    for text in options[name] ?? [] {
      guard let choice = Choice(rawValue: text) else {
        let known = choices.map(\.rawValue).joined(separator: ", ")
        throw DriverFailure(["error: '\(name)' is one of \(known)"], .usage)
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
