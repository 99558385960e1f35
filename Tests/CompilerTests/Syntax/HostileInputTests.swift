import Foundation
import SchemaDiagnostics
import SchemaSyntax
import TestSupport
import Testing

/// Malformed files must not cause traps or superlinear time.
@Suite struct HostileInputTests {
  @Test(arguments: HostileInputTests.repeated)
  func parsingTakesLinearTime(pattern: String) {
    let unit = Array(pattern.utf8)
    let size = Repetitions.isThorough ? 20_000 : 5_000
    let small = time(unit, size: size)
    let large = time(unit, size: 8 * size)
    // Eight times the input may take eight times as long, with a margin for a busy machine. Quadratic time would be 64
    // times as long.
    #expect(large < small * 32 + .milliseconds(size / 20), "\(pattern): \(small), then \(large)")
  }

  private static let repeated = [
    "(", "[", "{", "<", "}", "\"", "\"\\(", "\"\"\"", "#\"", "#", "/", "=/", "(/\\/", "/*", "`",
    "`a", "\u{201C}", "\u{201C}\n", "@", "@Model ", "@A(", "var ", "var x: [", "var x: A<", "a<",
    "=a<b", "\\", "\\a.", "?", "var x: Int", "X?", ".a", ";", "schema ", "import ", "case a(",
    "enum E { case a(", "class A {\n", "@Model class A {", "#if\n", "#endif\n", "#Unique<A>(",
    "- ", "1.", "1.2.", "0x", "///\n", "\u{0}", "\u{A0}", "<<<<<<< \n", "migration from ",
    "@Model class A { var x: Int = ", "struct S { var x: ", "func f(", "init(", "typealias T = ",
    "nil ", "é", "😀", "\r", "any ", "() -> ", "didSet {", "@Attribute(.a, ", ",",
  ]

  /// Measures the CPU time of this thread.
  private func time(_ unit: [UInt8], size: Int) -> Duration {
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
    }
    var bytes: [UInt8] = []
    while bytes.count < size { bytes += unit }
    let file = SourceFile(path: "T.schema", bytes: bytes)
    let start = now()
    let (tree, _) = Parser.parse(file, index: 0)
    if size < 50_000 { #expect(tree.printed() == bytes) }
    return now() - start
  }

  @Test func badUTF8() {
    for byte in UInt8.min ... .max {
      let bytes =
        Array("schema A 1.0.0\nstruct S { var x".utf8) + [byte, byte] + Array(": Int }".utf8)
      let (tree, _) = Parser.parse(SourceFile(path: "T.schema", bytes: bytes), index: 0)
      #expect(tree.printed() == bytes)
    }
  }

  @Test func deepTypes() {
    let text = "struct S { var x: " + String(repeating: "[", count: 100_000)
    let (tree, diagnostics) = Parser.parse(SourceFile(path: "T", text: text), index: 0)
    #expect(tree.printed() == Array(text.utf8))
    #expect(diagnostics.count < 5)
  }

  /// A file beyond the size limit is rejected immediately.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["SKIP_LARGE_INPUT"] == nil))
  func filesOfAHundredMegabytesAreRejected() {
    let bytes = [UInt8](repeating: UInt8(ascii: "("), count: 100 << 20)
    let file = SourceFile(path: "T.schema", bytes: bytes)
    let (tree, diagnostics) = Parser.parse(file, index: 0)
    #expect(tree.printed() == bytes)
    #expect(diagnostics.map(\.id.code) == ["SYN001"])
  }

  /// One token or comment of many megabytes is read in linear time.
  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["SKIP_LARGE_INPUT"] == nil),
    arguments: ["\"\"\"", "/*", "\u{0}", "//"])
  func tokensOfManyMegabytes(start: String) {
    let bytes = Array(start.utf8) + [UInt8](repeating: start == "\u{0}" ? 1 : 0x78, count: 4 << 20)
    let (tree, _) = Parser.parse(SourceFile(path: "T.schema", bytes: bytes), index: 0)
    #expect(tree.printed() == bytes)
    #expect(tree.tokens.count <= 2)
  }
}
