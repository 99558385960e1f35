/// A JSON value of a configuration, with the places of what is in it.
indirect enum ConfigurationValue {
  case null
  case flag(Bool)
  /// As it is written.
  case number(String)
  case text(String)
  case list([ConfigurationValue])
  /// In the order of the file; no key is there twice.
  case object([Member])

  struct Member {
    var key: String
    /// Where the key is written, in bytes.
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

  /// Texts only.
  var words: [String]? {
    guard let list else { return nil }
    let words = list.compactMap(\.text)
    return words.count == list.count ? words : nil
  }

  /// Texts by their keys.
  var texts: [(key: String, text: String, offset: Int)]? {
    guard let members else { return nil }
    let texts = members.compactMap { member in member.value.text.map { (member.key, $0, member.offset) } }
    return texts.count == members.count ? texts : nil
  }
}

/// Why a text is no JSON, and where.
struct ConfigurationMistake: Error {
  var message: String
  var offset: Int
}
