import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaShapes
import Testing

/// The time of the linter must be linear in the size of the schema.
@Suite struct GrowthTests {
  @Test(arguments: SchemaShape.all)
  func judgingStaysLinear(_ shape: SchemaShape) {
    var settings = LintSettings(profiles: Set(LintProfile.allCases))
    settings.preset = .strict
    let small = (0..<3).map { _ in Self.time(shape.text(8 << 10), settings) }.min() ?? 0
    // Eight times the text may take 24 times as long; quadratic time would be 64 times as long. The constant covers a
    // busy machine.
    let allowed = small * 24 + 0.05
    var large = Self.time(shape.text(64 << 10), settings)
    if large > allowed { large = min(large, Self.time(shape.text(64 << 10), settings)) }
    #expect(large <= allowed, "\(shape.name): \(small) s, then \(large) s")
  }

  /// The CPU time of this thread, which excludes other tests and programs.
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
