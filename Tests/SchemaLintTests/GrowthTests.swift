import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaShapes
import TestSupport
import Testing

/// The linter's running time must be linear in the size of the schema.
@Suite struct GrowthTests {
  @Test(arguments: SchemaShape.all)
  func lintingTakesLinearTime(_ shape: SchemaShape) {
    var settings = LintSettings(profiles: Set(LintProfile.allCases))
    settings.preset = .strict
    // In kibibytes. A short run tests all shapes, because each of them could be slow for its own reason.
    let size = Repetitions.isThorough ? 8 : 1
    func time(_ kibibytes: Int, _ times: Int) -> Double {
      let text = shape.text(kibibytes << 10)
      return (0..<times).map { _ in Self.time(text, settings) }.min() ?? 0
    }
    // Eight times the text may take 24 times as long; quadratic time would be 64 times as long. The constant covers a
    // busy machine and, in a short run, the search for similar names, whose budget small schemas do not use up.
    let constant = 0.1
    var small = time(size, Repetitions.isThorough ? 3 : 1)
    var large = time(8 * size, 1)
    for _ in 0..<3 where large > small * 24 + constant {
      (small, large) = (max(small, time(size, 3)), min(large, time(8 * size, 2)))
    }
    #expect(large <= small * 24 + constant, "\(shape.name): \(small) s, then \(large) s")
  }

  /// Measures the CPU time of this thread.
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
