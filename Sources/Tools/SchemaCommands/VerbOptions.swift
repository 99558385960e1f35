/// A verb's option, parsed from the help text for shell completion.
struct VerbOption: Equatable {
  var name: String
  /// The value placeholder, for example `FILE`, or nil for flags.
  var value: String?
  /// The permitted values. Empty if any value is permitted.
  var choices: [String]
  var summary: String
}

extension Verb {
  /// The permitted values of `--format`.
  static var formats: [String] {
    if let listed = choices["--format"] { return listed }
    guard options.contains("--format") else { return [] }
    return help.split(separator: "\n").lazy.map { choices(of: "--format", in: $0) }.first { !$0.isEmpty } ?? []
  }

  /// All options, sorted by name.
  static var described: [VerbOption] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: true)
    var global = [
      VerbOption(name: "--root", value: "FOLDER", choices: [], summary: "the base folder of relative paths")
    ]
    if hasJSON {
      global.append(VerbOption(name: "--json", value: nil, choices: [], summary: "same as '--format json'"))
    }
    return global
      + options.union(flags).union(["--help"]).sorted().map { name in
        var option = VerbOption(name: name, value: options.contains(name) ? "VALUE" : nil, choices: [], summary: "")
        option.choices = choices[name] ?? []
        if name == "--help" { option.summary = "print this help" }
        for line in lines {
          option.choices = option.choices.isEmpty ? choices(of: name, in: line) : option.choices
          guard option.summary.isEmpty, let (value, summary) = entry(of: name, in: line) else { continue }
          option.summary = summary
          if let value, option.value != nil { option.value = value }
        }
        return option
      }
  }

  /// Parses a line such as `      --rows N   how many …`.
  private static func entry(of name: String, in line: Substring) -> (String?, String)? {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard line.hasPrefix("  "), words.first.map(String.init) == name, words.count > 1 else { return nil }
    let isValue = words[1].allSatisfy { $0.isUppercase || "=:…".contains($0) }
    let rest = words.dropFirst(isValue ? 2 : 1).joined(separator: " ")
    return (isValue ? String(words[1]) : nil, rest)
  }

  /// Parses the values in `[--format text|json]`.
  private static func choices(of name: String, in line: Substring) -> [String] {
    guard let range = line.firstRange(of: name + " ") else { return [] }
    let word = line[range.upperBound...].prefix { $0 != "]" && $0 != " " }
    let choices = word.split(separator: "|").map(String.init)
    let areWords = choices.allSatisfy { choice in choice.allSatisfy { $0.isLowercase || $0 == "-" } }
    return choices.count > 1 && areWords ? choices : []
  }
}
