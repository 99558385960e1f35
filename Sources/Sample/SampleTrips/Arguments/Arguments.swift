import Foundation

/// A command-line option.
struct Option {
  /// The name, including dashes.
  var name: String
  /// The placeholder for the value; nil for a flag.
  var value: String?
  var summary: String

  static let store = Option(
    name: "--store", value: "PATH",
    summary:
      "the store path, json:PATH for a JSON file, or postgres://… for a server (default: your data folder)"
  )
  static let start = Option(
    name: "--start", value: "DATE", summary: "the trip's first day, if several trips match")
  static let dryRun = Option(
    name: "--dry-run", value: nil, summary: "show the changes and save nothing")
}

/// A command line, parsed into operands and options.
struct Arguments {
  private(set) var operands: [String] = []
  private(set) var wantsHelp = false
  private var values: [String: [String]] = [:]

  init(_ words: some Sequence<String>, options: [Option]) throws {
    let known = Dictionary(uniqueKeysWithValues: options.map { ($0.name, $0) })
    var words = Array(words)[...]
    var onlyOperands = false
    while let word = words.popFirst() {
      guard !onlyOperands, word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      if word == "--" {
        onlyOperands = true
        continue
      }
      if word == "--help" || word == "-h" {
        wantsHelp = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = known[String(parts[0])] else {
        let nearest = Suggestion.nearest(to: String(parts[0]), in: known.keys.sorted())
        throw Failure.usage(
          "unknown option '\(parts[0])'", hint: nearest.map { "did you mean '\($0)'?" })
      }
      guard let name = option.value else {
        if parts.count > 1 { throw Failure.usage("'\(option.name)' takes no value") }
        values[option.name] = []
        continue
      }
      guard let value = parts.count > 1 ? String(parts[1]) : words.popFirst() else {
        throw Failure.usage("'\(option.name)' needs a value: \(option.name) \(name)")
      }
      values[option.name, default: []].append(value)
    }
  }

  /// True if a flag is given.
  func has(_ option: String) -> Bool { values[option] != nil }

  /// Returns all values for an option, in order.
  func all(_ option: String) -> [String] { values[option] ?? [] }

  /// The last value for an option.
  subscript(_ option: String) -> String? { values[option]?.last }

  /// Returns the only operand.
  func operand(_ name: String) throws -> String {
    guard let first = operands.first, !first.isEmpty else {
      throw Failure.usage("\(name) is missing")
    }
    guard operands.count == 1 else {
      throw Failure.usage(
        "unexpected argument '\(operands[1])'",
        hint: "put \(name) in quotation marks if it contains spaces")
    }
    return first
  }

  func noOperands() throws {
    if let first = operands.first { throw Failure.usage("unexpected argument '\(first)'") }
  }

  func required(_ option: String) throws -> String {
    guard let value = self[option], !value.isEmpty else {
      throw Failure.usage("'\(option)' is missing")
    }
    return value
  }

  func count(_ option: String) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let count = Int(text), count >= 0 else {
      throw Failure.usage("'\(option)' must be a number, not '\(text)'")
    }
    return count
  }

  func day(_ option: String) throws -> Date? {
    guard let text = self[option] else { return nil }
    guard let date = Day.parse(text) else {
      throw Failure.usage("'\(option)': \(Day.problem(text))")
    }
    return date
  }

  func amount(_ option: String) throws -> Decimal? {
    guard let text = self[option] else { return nil }
    guard let amount = Money.parse(text) else {
      throw Failure.usage("'\(option)': \(Money.problem(text))")
    }
    return amount
  }

  func kind(_ option: String) throws -> TripKind? {
    guard let text = self[option] else { return nil }
    guard let kind = TripKind(rawValue: text.lowercased()) else {
      throw Failure.usage("'\(option)' must be one of \(TripKind.list), not '\(text)'")
    }
    return kind
  }
}

extension TripKind {
  /// For example `personal, business, reunion`.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
