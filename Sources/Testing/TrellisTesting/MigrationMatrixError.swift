import Trellis

/// An error reported by a ``MigrationMatrix``.
///
/// The description lists all problems.
///
/// ```swift
/// import TrellisTesting
///
/// do {
///   try MigrationMatrix(SampleTripsMigrationPlan.self).check()
/// } catch MigrationMatrixError.failed(let problems) {
///   for problem in problems where problem.model == "Trip" { print(problem) }
/// }
/// ```
public enum MigrationMatrixError: Error, CustomStringConvertible {
  /// The plan has fewer than two versions.
  case nothingToTry(versions: Int)
  /// The stores contain no data that a migration could lose.
  case nothingCompared(MigrationMatrix.Report)
  /// Stores cannot be created or opened, or their contents differ.
  case failed([Problem])

  /// A problem found in a migration.
  ///
  /// ```swift
  /// import TrellisTesting
  ///
  /// do {
  ///   try MigrationMatrix(SampleTripsMigrationPlan.self).check()
  /// } catch MigrationMatrixError.failed(let problems) {
  ///   for problem in problems {
  ///     guard let model = problem.model, let property = problem.property else { continue }
  ///     print("\(problem.hop): \(model).\(property) has changed. \(problem.advice)")
  ///   }
  /// }
  /// ```
  public struct Problem: Sendable, CustomStringConvertible {
    /// The two versions, for example `1.0.0 → 2.0.0`.
    public var hop: String
    /// A description of the problem.
    public var what: String
    /// Advice for fixing the problem.
    public var advice: String
    /// The affected model's newer name; `nil` if the problem affects the store.
    public var model: String?
    /// The row's key, or the first of several; `nil` if the problem affects no rows.
    public var key: String?
    /// The property's newer name; `nil` if the problem affects complete rows or the store.
    public var property: String?
    /// The value in the older store, as text.
    public var expected: String?
    /// The value in the newer store, as text.
    public var found: String?

    init(hop: String, what: String, advice: String) {
      self.hop = hop
      self.what = what
      self.advice = advice
    }

    public var description: String {
      var text = "\(hop): \(what)"
      if let expected { text += "; before: \(Self.short(expected))" }
      if let found { text += "; after: \(Self.short(found))" }
      return text + " (\(advice))"
    }

    private static func short(_ text: String) -> String {
      guard !text.isEmpty else { return "nothing" }
      return text.count > 200 ? text.prefix(200) + "… (\(text.count) characters)" : text
    }
  }

  public var description: String {
    switch self {
    case .nothingToTry(let count):
      "the plan has \(count == 0 ? "no versions" : "one version"), so there is nothing to migrate: release a version "
        + "first (trellis freeze)"
    case .nothingCompared(let report):
      "there is nothing to compare (\(report)): the plan changes every row and every value, "
        + "or `changing` lists all of them"
    case .failed(let problems):
      "\(problems.count) problems:\n" + problems.map { "  - \($0)" }.joined(separator: "\n")
    }
  }
}

extension MatrixHop {
  /// Describes an error that ended the migration.
  func problem(_ error: any Error) -> Problem {
    if let error = error as? StoredValueError {
      var problem = problem(
        "the store was migrated, but a row cannot be read: \(error)",
        "rows still contain a removed value, such as an enum case: replace the value in a 'fill', or declare the "
          + "property with '.unknown(.default)'")
      problem.model = error.entity
      problem.property = error.property
      return problem
    }
    let isAnswered = (error as? SwiftDataError)?.storeProblem == .migrationFailed
    return problem(
      "the store cannot be opened: \(error)",
      isAnswered
        ? "resolve the error in the migration" : "complete the stages between the two versions")
  }
}
