import Trellis

/// A pair of versions, migrated from the first to the second.
struct MatrixHop {
  let plan: any SchemaMigrationPlan.Type
  let from: any VersionedSchema.Type
  let to: any VersionedSchema.Type
  let rows: Int
  let changing: Set<String>

  typealias Problem = MigrationMatrixError.Problem

  /// The advice for problems that a plan cannot cause.
  static let report = "this is a bug in Trellis; please report it with both versions"

  var title: String { "\(from.versionIdentifier) → \(to.versionIdentifier)" }

  func problem(_ what: String, _ advice: String) -> Problem {
    Problem(hop: title, what: what, advice: advice)
  }
}
