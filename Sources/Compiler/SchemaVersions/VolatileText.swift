/// Swift that gives another value each time it is evaluated.
package enum VolatileText {
  /// Whether the expression asks the clock, or for something random.
  package static func isVolatile(_ text: String) -> Bool { HistoryAdvice.isVolatile(text) }
}
