/// Identifies Swift expressions that return a different value at each evaluation.
package enum VolatileText {
  /// Returns true if the expression reads the clock or a random source.
  package static func isVolatile(_ text: String) -> Bool { HistoryAdvice.isVolatile(text) }
}
