import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Applies suppression comments to findings and reports ineffective comments.
struct SuppressionPass {
  /// A rule that is suppressed in a declaration or in a whole file.
  private struct Place: Hashable {
    var file: Int
    var unit: Int?
    var rule: String
  }

  /// The last comment that suppresses a rule in a place. Reports show this comment's reason.
  private struct Wish {
    var order: Int
    var reason: String
    var isUsed = false
  }

  private let settings: LintSettings
  private let maps: [DeclarationMap]
  private let paths: [String]
  /// The suppressions by file index.
  private let suppressions: [[Suppression]]
  private var wishes: [Place: Wish] = [:]

  init(_ input: LintInput, _ settings: LintSettings, _ places: FindingPlaces) {
    self.settings = settings
    maps = places.maps
    paths = input.files.map(\.path)
    suppressions = zip(input.compilation.trees, places.maps).map { Suppression.read($0, $1) }
    for (file, suppressions) in suppressions.enumerated() {
      for (order, suppression) in suppressions.enumerated() where suppression.scope != .nothing {
        for word in suppression.words {
          guard let place = Self.place(of: word, suppression, file) else { continue }
          wishes[place] = Wish(order: order, reason: suppression.reason)
        }
      }
    }
  }

  private static func place(of word: Suppression.Word, _ suppression: Suppression, _ file: Int) -> Place? {
    guard let rule = RuleCatalogue.rule(word.text) else { return nil }
    switch suppression.scope {
    case .nothing: return nil
    case .file: return Place(file: file, unit: nil, rule: rule.id.code)
    case .declaration(let unit): return Place(file: file, unit: unit, rule: rule.id.code)
    }
  }

  mutating func apply(to finding: Finding) -> Finding {
    let range = finding.diagnostic.range
    guard suppressions.indices.contains(range.file), !suppressions[range.file].isEmpty,
      let rule = RuleCatalogue.rule(finding.diagnostic.id.code), !rule.isFixed
    else { return finding }
    var places = [Place(file: range.file, unit: nil, rule: rule.id.code)]
    if let unit = maps[range.file].declaration(at: range.start) {
      places.append(Place(file: range.file, unit: unit, rule: rule.id.code))
    }
    var last: Wish?
    for place in places {
      guard let wish = wishes[place] else { continue }
      wishes[place]?.isUsed = true
      if wish.order >= last?.order ?? 0 { last = wish }
    }
    guard let last else { return finding }
    var finding = finding
    finding.state = .ignored(reason: last.reason)
    return finding
  }

  /// The findings about suppressions, available after the remaining findings have been processed.
  var ownFindings: [Diagnostic] {
    var found: [Diagnostic] = []
    var meanings: [String: String?] = [:]
    for (file, suppressions) in suppressions.enumerated() {
      for suppression in suppressions {
        if suppression.words.isEmpty { found.append(.namesNoRule(suppression)) }
        if settings.requiresReason, suppression.reason.isEmpty { found.append(.noReason(suppression)) }
        let useless = suppression.words.map { isUseless($0, suppression, file) }
        // Remove the whole comment if no rule in it is used.
        let isWhole = useless.allSatisfy { $0 }
        for (number, word) in suppression.words.enumerated() {
          guard let rule = RuleCatalogue.rule(word.text) else {
            found.append(.unknownRule(word, &meanings))
            continue
          }
          guard useless[number] else { continue }
          let fix = isWhole ? suppression.removal : suppression.removing(number)
          found.append(rule.isFixed ? .cannotBeIgnored(word, rule, fix) : .unused(word, suppression, fix))
        }
      }
    }
    var levels = FindingLevels(paths, settings)
    return found.sortedAndUnique().compactMap { levels.leveled($0) }
  }

  private func isUseless(_ word: Suppression.Word, _ suppression: Suppression, _ file: Int) -> Bool {
    guard let rule = RuleCatalogue.rule(word.text) else { return false }
    if let place = Self.place(of: word, suppression, file), wishes[place]?.isUsed ?? false { return false }
    // A disabled rule may be enabled in a different configuration.
    return settings.severity(of: rule, reported: rule.severity, in: paths[file]) != nil
  }
}

extension Diagnostic {
  fileprivate static func namesNoRule(_ suppression: Suppression) -> Self {
    Self(
      UnknownSuppression.id, UnknownSuppression.severity, at: suppression.range,
      "'schema:ignore' names no rule",
      help: "write the rule, two dashes and the reason: // schema:ignore REL010 -- reason")
  }

  /// - Parameter meanings: A cache of suggestions for unknown words.
  fileprivate static func unknownRule(_ word: Suppression.Word, _ meanings: inout [String: String?]) -> Self {
    let known = meanings.count < 1_000 ? RuleCatalogue.words : []
    let meant = meanings[word.text] ?? NearestName.find(word.text, in: known)
    meanings[word.text] = .some(meant)
    return Self(
      UnknownSuppression.id, UnknownSuppression.severity, at: word.range,
      "there is no rule '\(word.text)' to ignore",
      help: meant.map { "did you mean '\($0)'?" } ?? "'trellis rules' lists them",
      fixIts: meant.map { [.replace(word.range, with: $0, title: "replace it with '\($0)'")] } ?? [])
  }

  fileprivate static func noReason(_ suppression: Suppression) -> Self {
    Self(
      SuppressionWithoutReason.id, SuppressionWithoutReason.severity, at: suppression.range,
      "'schema:ignore' gives no reason",
      help: "add a reason after two dashes: // schema:ignore REL010 -- tags are owned by the first note")
  }

  fileprivate static func cannotBeIgnored(
    _ word: Suppression.Word, _ rule: any RuleDescription.Type, _ fix: FixIt
  ) -> Self {
    Self(
      UnusedSuppression.id, UnusedSuppression.severity, at: word.range,
      "'\(rule.id.code)' cannot be ignored, because its findings stop the build",
      help: "remove it", fixIts: [fix])
  }

  fileprivate static func unused(
    _ word: Suppression.Word, _ suppression: Suppression, _ fix: FixIt
  ) -> Self {
    let text =
      suppression.scope == .nothing
      ? "no declaration follows, so '\(word.text)' is not ignored anywhere"
      : "'\(word.text)' suppresses no finding here"
    return Self(
      UnusedSuppression.id, UnusedSuppression.severity, at: word.range, text,
      help: "remove it", fixIts: [fix])
  }
}

extension Suppression {
  fileprivate var removal: FixIt { .remove(removalRange, title: "remove the comment") }

  fileprivate func removing(_ place: Int) -> FixIt {
    let word = words[place]
    guard words.count > 1 else { return .remove(word.range, title: "remove '\(word.text)'") }
    // Include the space next to the word.
    var range = word.range
    if place > 0 { range.start = words[place - 1].range.end } else { range.end = words[place + 1].range.start }
    return .remove(range, title: "remove '\(word.text)'")
  }
}
