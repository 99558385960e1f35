/// Something to say about a place in the source. Never thrown; every phase returns a list of these.
package struct Diagnostic: Sendable, Hashable {
  /// Another place that explains this one.
  package struct Related: Sendable, Hashable {
    package var range: SourceRange
    package var text: String

    package init(_ range: SourceRange, _ text: String) {
      self.range = range
      self.text = text
    }
  }

  package var id: DiagnosticID
  package var severity: Severity
  package var message: String
  package var range: SourceRange
  /// A few words to print beside the carets.
  package var label: String?
  package var related: [Related]
  /// What to do about it, in the imperative.
  package var help: String?
  package var fixIts: [FixIt]

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
}

extension Sequence<Diagnostic> {
  /// In the order of the source, each one once.
  package func sortedAndUnique() -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return filter { seen.insert($0).inserted }.sorted {
      if $0.range != $1.range { return $0.range < $1.range }
      if $0.id != $1.id { return $0.id < $1.id }
      return $0.message < $1.message
    }
  }

  package var hasErrors: Bool { contains { $0.severity == .error } }
}
