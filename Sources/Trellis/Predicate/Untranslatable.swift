/// Why a predicate or a sort order has no exact translation to SQL and runs in memory instead.
struct Untranslatable: Error, Sendable, Equatable, CustomStringConvertible {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  var description: String { reason }
}
