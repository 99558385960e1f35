/// A problem at a source location. Diagnostics are not thrown; every phase returns a list of them.
///
/// A class, because it is large, immutable and created in hundreds of places.
package final class Diagnostic: Sendable, Hashable {
  /// A second location that explains the diagnostic.
  package struct Related: Sendable, Hashable {
    package var range: SourceRange
    package var text: String

    package init(_ range: SourceRange, _ text: String) {
      self.range = range
      self.text = text
    }
  }

  package let id: DiagnosticID
  package let severity: Severity
  package let message: String
  package let range: SourceRange
  /// A short text printed next to the carets.
  package let label: String?
  package let related: [Related]
  /// A remedy, in the imperative.
  package let help: String?
  package let fixIts: [FixIt]

  package init(
    _ id: DiagnosticID, _ severity: Severity = .error, at range: SourceRange, _ message: String,
    label: String? = nil, related: [Related] = [], help: String? = nil, fixIts: [FixIt] = []
  ) {
    self.id = id
    self.severity = severity
    self.message = message
    self.range = range
    self.label = label
    self.related = related
    self.help = help
    self.fixIts = fixIts
  }

  package static func == (lhs: Diagnostic, rhs: Diagnostic) -> Bool {
    lhs.range == rhs.range && lhs.id == rhs.id && lhs.severity == rhs.severity && lhs.message == rhs.message
      && lhs.label == rhs.label && lhs.related == rhs.related && lhs.help == rhs.help && lhs.fixIts == rhs.fixIts
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(range)
    hasher.combine(message)
  }
}

extension Diagnostic: CustomStringConvertible {
  package var description: String { "\(severity.rawValue): \(message) [\(id)]" }
}

extension Sequence<Diagnostic> {
  /// Returns the diagnostics in source order, with duplicates removed.
  package func sortedAndUnique() -> [Diagnostic] {
    let all = Array(self)
    // Diagnostics arrive nearly sorted and are large to move, so indices are sorted instead.
    let order = all.indices.ordered { left, right in
      let (first, second) = (all[left].range, all[right].range)
      if first != second { return first < second }
      return Self.isBefore(all[left], all[right]) ?? (left < right)
    }
    var result: [Diagnostic] = []
    result.reserveCapacity(all.count)
    // Duplicates share the range, identity and message.
    var same = 0
    for index in order {
      if let last = result.last, last.range == all[index].range, Self.isBefore(last, all[index]) == nil {
        if result[same...].contains(all[index]) { continue }
      } else {
        same = result.count
      }
      result.append(all[index])
    }
    return result
  }

  /// Compares identity and message. Returns `nil` if both are the same.
  private static func isBefore(_ first: Diagnostic, _ second: Diagnostic) -> Bool? {
    if first.id.code != second.id.code { return first.id.code < second.id.code }
    return first.message == second.message ? nil : first.message < second.message
  }

  package var hasErrors: Bool { contains { $0.severity == .error } }
}
