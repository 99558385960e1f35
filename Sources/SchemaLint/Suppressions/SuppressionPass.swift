import SchemaDiagnostics
import SchemaModel

/// Takes out what files ask to be taken out, and says which of their wishes are of no use.
struct SuppressionPass {
  private let settings: LintSettings
  private let maps: [DeclarationMap]
  private let paths: [String]
  /// By the place of the file.
  private let suppressions: [[Suppression]]
  /// Which words have taken something out: file, suppression, word.
  private var used: Set<[Int]> = []

  init(_ input: LintInput, _ settings: LintSettings, _ places: FindingPlaces) {
    self.settings = settings
    maps = places.maps
    paths = input.files.map(\.path)
    suppressions = zip(input.compilation.trees, places.maps).map { Suppression.read($0, $1) }
  }

  mutating func apply(to finding: Finding) -> Finding {
    let range = finding.diagnostic.range
    guard suppressions.indices.contains(range.file), !suppressions[range.file].isEmpty,
      let rule = RuleCatalogue.rule(finding.diagnostic.id.code), !rule.isFixed
    else { return finding }
    let unit = maps[range.file].declaration(at: range.start)
    var finding = finding
    for (index, suppression) in suppressions[range.file].enumerated() {
      switch suppression.scope {
      case .nothing: continue
      case .file: break
      case .declaration(let place): guard place == unit else { continue }
      }
      for (number, word) in suppression.words.enumerated()
      where RuleCatalogue.rule(word.text)?.id == rule.id {
        used.insert([range.file, index, number])
        finding.state = .ignored(reason: suppression.reason)
      }
    }
    return finding
  }

  /// What is wrong with the suppressions themselves, after every finding has been seen.
  var ownFindings: [Diagnostic] {
    var found: [Diagnostic] = []
    for (file, suppressions) in suppressions.enumerated() {
      for (index, suppression) in suppressions.enumerated() {
        if suppression.words.isEmpty { found.append(.namesNoRule(suppression)) }
        if settings.requiresReason, suppression.reason.isEmpty { found.append(.noReason(suppression)) }
        let useless = suppression.words.indices.filter { isUseless(suppression.words[$0], [file, index, $0]) }
        for (number, word) in suppression.words.enumerated() {
          guard let rule = RuleCatalogue.rule(word.text) else {
            found.append(.unknownRule(word))
            continue
          }
          guard useless.contains(number) else { continue }
          // One edit for all of them where none is left.
          let fix = useless.count == suppression.words.count ? suppression.removal : suppression.removing(word)
          found.append(rule.isFixed ? .cannotBeIgnored(word, rule, fix) : .unused(word, suppression, fix))
        }
      }
    }
    return leveled(found)
  }

  private func isUseless(_ word: Suppression.Word, _ place: [Int]) -> Bool {
    guard let rule = RuleCatalogue.rule(word.text), !used.contains(place) else { return false }
    // A rule that does not run here may be of use to those who run it.
    return settings.severity(of: rule, reported: rule.severity, in: paths[place[0]]) != nil
  }

  private func leveled(_ found: [Diagnostic]) -> [Diagnostic] {
    found.sortedAndUnique().compactMap { diagnostic in
      guard let rule = RuleCatalogue.rule(diagnostic.id.code),
        let severity = settings.severity(
          of: rule, reported: diagnostic.severity, in: paths[diagnostic.range.file])
      else { return nil }
      var diagnostic = diagnostic
      diagnostic.severity = severity
      return diagnostic
    }
  }
}

extension Diagnostic {
  fileprivate static func namesNoRule(_ suppression: Suppression) -> Self {
    Self(
      UnknownSuppression.id, UnknownSuppression.severity, at: suppression.range,
      "'schema:ignore' names no rule",
      help: "write the rule, two dashes and the reason: // schema:ignore REL010 -- why")
  }

  fileprivate static func unknownRule(_ word: Suppression.Word) -> Self {
    let names = RuleCatalogue.all.flatMap { [$0.id.code, $0.id.name] }
    let meant = NearestName.find(word.text, in: names)
    return Self(
      UnknownSuppression.id, UnknownSuppression.severity, at: word.range,
      "there is no rule '\(word.text)' to ignore",
      help: meant.map { "did you mean '\($0)'?" } ?? "'trellis rules' lists them",
      fixIts: meant.map { [.replace(word.range, with: $0, title: "replace it with '\($0)'")] } ?? [])
  }

  fileprivate static func noReason(_ suppression: Suppression) -> Self {
    Self(
      SuppressionWithoutReason.id, SuppressionWithoutReason.severity, at: suppression.range,
      "'schema:ignore' without a reason",
      help: "say why behind two dashes: // schema:ignore REL010 -- tags are owned by the first note")
  }

  fileprivate static func cannotBeIgnored(
    _ word: Suppression.Word, _ rule: any RuleDescription.Type, _ fix: FixIt
  ) -> Self {
    Self(
      UnusedSuppression.id, UnusedSuppression.severity, at: word.range,
      "'\(rule.id.code)' cannot be ignored: what it finds cannot be built",
      help: "take it out", fixIts: [fix])
  }

  fileprivate static func unused(
    _ word: Suppression.Word, _ suppression: Suppression, _ fix: FixIt
  ) -> Self {
    let text = suppression.scope == .nothing
      ? "no declaration follows, so '\(word.text)' is ignored nowhere"
      : "'\(word.text)' finds nothing here any more"
    return Self(
      UnusedSuppression.id, UnusedSuppression.severity, at: word.range, text,
      help: "take it out", fixIts: [fix])
  }
}

extension Suppression {
  fileprivate var removal: FixIt { .remove(removalRange, title: "remove the comment") }

  fileprivate func removing(_ word: Word) -> FixIt {
    guard words.count > 1, let place = words.firstIndex(where: { $0.range == word.range }) else {
      return .remove(word.range, title: "remove '\(word.text)'")
    }
    // With the space that separates it from its neighbour.
    var range = word.range
    if place > 0 { range.start = words[place - 1].range.end } else { range.end = words[place + 1].range.start }
    return .remove(range, title: "remove '\(word.text)'")
  }
}
