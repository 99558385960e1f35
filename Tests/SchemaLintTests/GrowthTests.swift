import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaShapes
import Testing

/// Judging a schema takes time in proportion to its size, whatever it is that grows.
@Suite struct GrowthTests {
  @Test(arguments: SchemaShape.all)
  func judgingStaysLinear(_ shape: SchemaShape) {
    var settings = LintSettings(profiles: Set(LintProfile.allCases))
    settings.preset = .strict
    let small = (0..<3).map { _ in Self.time(shape.text(8 << 10), settings) }.min() ?? 0
    // Eight times the text in 24 times the time at most, where quadratic time would be 64 times as much;
    // and a moment for what a busy machine does to both.
    let allowed = small * 24 + 0.05
    var large = Self.time(shape.text(64 << 10), settings)
    if large > allowed { large = min(large, Self.time(shape.text(64 << 10), settings)) }
    #expect(large <= allowed, "\(shape.name): \(small) s, then \(large) s")
  }

  /// What this thread has computed: other tests and other programs do not count.
  private static func time(_ bytes: [UInt8], _ settings: LintSettings) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let file = SourceFile(path: "Large.schema", bytes: bytes)
    let start = now()
    _ = SchemaLinter.lint(LintInput(SchemaCompiler.compile([file])), settings)
    return now() - start
  }
}
