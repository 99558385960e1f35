/// An error in the text of a macro, at a place in that text.
struct MacroError: Error, Sendable, Equatable {
  var message: String
  var range: Range<Int>
  /// The text to put in the place of the range.
  var replacement: String?

  init(_ message: String, at range: Range<Int>, replacement: String? = nil) {
    self.message = message
    self.range = range
    self.replacement = replacement
  }
}
