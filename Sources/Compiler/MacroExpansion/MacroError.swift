/// An error in the text of a macro, at a place in that text.
struct MacroError: Error, Sendable, Equatable {
  var message: String
  var range: Range<Int>

  init(_ message: String, at range: Range<Int>) {
    self.message = message
    self.range = range
  }
}
