extension CamelCase {
  /// Returns the lowercase words in a name: `URLOfTrips2` consists of `url`, `of`, `trips` and `2`.
  static func words(_ name: String) -> [String] {
    let letters = Array(name)
    var words: [String] = []
    var word = ""
    for (index, letter) in letters.enumerated() {
      let before = index > 0 ? letters[index - 1] : nil
      let after = index + 1 < letters.count ? letters[index + 1] : nil
      let begins: Bool
      if letter.isUppercase {
        // The last of several capital letters begins the next word.
        begins = !(before?.isUppercase ?? false) || after?.isLowercase ?? false && after != "s"
      } else {
        begins = letter.isNumber != (before?.isNumber ?? letter.isNumber)
      }
      if letter == "_" || begins {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if letter != "_" { word += letter.lowercased() }
    }
    return word.isEmpty ? words : words + [word]
  }
}
