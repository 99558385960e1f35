import SchemaDiagnostics

/// Suggests corrections for misspelled names in a schema.
///
/// A file with thousands of unknown names is not a schema. After a fixed number of comparisons no more suggestions are
/// made, so the search never takes quadratic time.
final class Suggestions {
  private static let maximum = 300_000
  private var comparisons = 0
  /// Cached results for names compared with all declared names.
  var found: [String: String?] = [:]

  var isOpen: Bool { comparisons < Self.maximum }

  func nearest(to name: String, in candidates: @autoclosure () -> [String]) -> String? {
    guard isOpen else { return nil }
    let candidates = candidates()
    comparisons += candidates.count
    return NearestName.find(name, in: candidates)
  }
}
