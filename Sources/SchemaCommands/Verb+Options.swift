import Foundation
import SchemaDriver

extension Verb {
  /// Options without a value are rare.
  package static var flags: Set<String> { [] }
}

extension Arguments {
  /// An option whose value is one of a few words.
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
  /// The same bytes for the same values.
  mutating func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    say(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
  }
}
