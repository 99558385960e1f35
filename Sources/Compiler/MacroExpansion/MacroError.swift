/// An error at a range in a macro's source text.
struct MacroError: Error, Sendable, Equatable {
  var message: String
  var range: Range<Int>

  init(_ message: String, at range: Range<Int>) {
    self.message = message
    self.range = range
  }
}
