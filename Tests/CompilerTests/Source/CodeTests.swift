import Testing

@testable import SwiftSource

struct CodeTests {
  @Test func keywordsAreEscapedAsNames() {
    let code: Code = "x.\(name: "class") = \(name: "name")"
    #expect(code.text == "x.`class` = name")
  }

  @Test func labelsAreEscapedOnlyIfNecessary() {
    #expect(("f(\(label: "in"): 1)" as Code).text == "f(in: 1)")
    #expect(("f(\(label: "inout"): 1)" as Code).text == "f(`inout`: 1)")
    #expect(("init(\(parameter: "var"): Int)" as Code).text == "init(`var`: Int)")
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("a\nb\t\0", #""a\nb\t\0""#),
    ("é日本", "\"é日本\""), ("\u{202E}", #""\u{202e}""#), ("\\(x)", #""\\(x)""#),
  ])
  func literalsAreQuoted(_ text: String, _ expected: String) {
    #expect(("\(literal: text)" as Code).text == expected)
  }

  @Test func rawStringsUseEnoughNumberSigns() {
    #expect(("\(block: "a \"\"\"# b")" as Code).text == "##\"\"\"\na \"\"\"# b\n\"\"\"##")
    #expect(("\(block: "a\\#(x)")" as Code).text == "##\"\"\"\na\\#(x)\n\"\"\"##")
    #expect(("\(block: "\"\"\"\"## \\# #\"#")" as Code).text.hasPrefix("###\"\"\"\n"))
    #expect(("\(block: "a\r\nb")" as Code).text == #""a\r\nb""#)
  }

  @Test func continuationLinesAreAligned() {
    let body: Code = "\(lines: ["a", "", "b"])"
    #expect(("[\n  \(body)\n]" as Code).text == "[\n  a\n\n  b\n]")
  }

  @Test func longCallsAreWrapped() {
    let argument: Code = "argument: value"
    #expect(Code(call: "f", [argument]).text == "f(argument: value)")
    let long = Code(call: "f", Array(repeating: argument, count: 6))
    #expect(long.text.split(separator: "\n").count == 8)
    #expect(long.text.hasSuffix("  argument: value\n)"))
  }

  @Test func typesAreQualified() {
    let string = TypeRef("String", in: "Swift")
    #expect(TypeRef.optional(string).text == "Swift::String?")
    #expect(TypeRef.dictionary(key: string, value: .array(string)).text == "[Swift::String: [Swift::String]]")
    #expect(TypeRef("Set", in: "Swift", [string]).text == "Swift::Set<Swift::String>")
    #expect(TypeRef("class", in: "App").member("Snapshot").text == "App::`class`.Snapshot")
    #expect(TypeRef.optional(.any(TypeRef("P"))).text == "(any P)?")
  }
}
