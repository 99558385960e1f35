/// An error at a range in a macro's source text.
package struct MacroError: Error, Sendable, Equatable {
  package var message: String
  package var range: Range<Int>

  package init(_ message: String, at range: Range<Int>) {
    self.message = message
    self.range = range
  }
}
