import Testing

@testable import Trellis

/// Tests of changes to an encoding that keep all values readable.
@Suite struct CodedFormRuleTests {
  @Test(arguments: [
    ("", "", ""),
    ("A(a=x)", "A(a=x)", ""),
    // A new field has a default. A field can be renamed if its encoded name stays the same.
    ("A(a=x)", "A(a=x b)", ""),
    ("A(a=x)", "A(b=x)", ""),
    ("A(a)", "A(b=a)", ""),
    ("A(a=x b)", "A(a=x)", "A"),
    ("A(a=x)", "A(a=y)", "A"),
    ("A(a=x b=y)", "A(a=y b=x)", "A"),
    ("", "A(a=x)", "A"),
    ("A(a=x)", "", "A"),
    ("A#1", "A#1", ""),
    ("A#1", "A#2", "A"),
    ("A#1", "A(a=x)", "A"),
    ("A!", "", "A"),
    ("A!(a=x)", "A!(a=x b)", "A"),
    ("", "A*", "A"),
    ("A(a=x);B#1;C!", "A(a=x);B#2;C*", "B C"),
    // Two cases with equal names cannot be distinguished.
    ("A(a=x);A(b=y)", "A(a=x);A(b=y c)", "A"),
  ])
  func changesThatKeepValuesReadable(old: String, new: String, types: String) {
    let form = { (text: String) in text.isEmpty ? nil : text }
    #expect(CodedForm.changes(from: form(old), to: form(new)).joined(separator: " ") == types)
  }
}
