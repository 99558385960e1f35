/// A JSON value in a configuration file. Object members include their locations.
indirect enum ConfigurationValue {
  case null
  case flag(Bool)
  /// The number as written.
  case number(String)
  case text(String)
  case list([ConfigurationValue])
  /// The members in source order. Keys are unique.
  case object([Member])

  struct Member {
    var key: String
    /// The key's byte offset.
    var offset: Int
    var value: ConfigurationValue
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  var list: [ConfigurationValue]? { if case .list(let values) = self { values } else { nil } }

  var integer: Int? {
    guard case .number(let text) = self else { return nil }
    return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
  }

  /// The elements, if the value is a list that contains only strings.
  var words: [String]? {
    guard let list else { return nil }
    let words = list.compactMap(\.text)
    return words.count == list.count ? words : nil
  }

  /// The members, if the value is an object that contains only strings.
  var texts: [(key: String, text: String, offset: Int)]? {
    guard let members else { return nil }
    let texts = members.compactMap { member in member.value.text.map { (member.key, $0, member.offset) } }
    return texts.count == members.count ? texts : nil
  }
}

/// A JSON syntax error.
struct ConfigurationMistake: Error {
  var message: String
  var offset: Int
}
