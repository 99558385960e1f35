import SchemaDiagnostics

/// Looks for what misspelt names of one schema may have meant.
///
/// Where thousands of names are unknown the file is no schema: the later ones get no suggestion, and
/// comparing all with all never takes quadratic time.
final class Suggestions {
  private static let maximum = 300_000
  private var comparisons = 0
  /// Names that were looked for among all that are declared.
  var found: [String: String?] = [:]

  var isOpen: Bool { comparisons < Self.maximum }

  func nearest(to name: String, in candidates: @autoclosure () -> [String]) -> String? {
    guard isOpen else { return nil }
    let candidates = candidates()
    comparisons += candidates.count
    return NearestName.find(name, in: candidates)
  }
}
