import Foundation
import FuzzSupport
import SchemaDiagnostics
import SchemaFormat
import SchemaLint
import SchemaModel
import SchemaShapes

/// Measures the time for large schemas of each shape. It must be linear in the size, and at most two seconds for a
/// typical schema.
struct Growth {
  let megabytes: Double
  /// The tool whose `lint` is also measured as a process.
  let tool: String?
  let settings: LintSettings

  /// The limit in seconds for the largest size of the first shape. Other shapes are atypical: they have chains of
  /// 100,000 subclasses, or a finding in every twenty bytes.
  private static let bar = 2.0
  /// The permitted factor over linear time, because CPU caches are limited.
  private static let excess = 2.0

  /// Prints the measurements. Returns false if a limit is exceeded.
  func run(_ shapes: [SchemaShape]) -> Bool {
    let width = (shapes.map { $0.name.count }.max() ?? 0) + 2
    let sizes = [0.1, 0.25, 0.5, 1].map { $0 * megabytes }
    say(
      "".padding(toLength: width, withPad: " ", startingAt: 0)
        + sizes.map { Self.column(String(format: "%.2f MiB", $0)) }.joined())
    var holds = true
    for shape in shapes {
      var line = shape.name.padding(toLength: width, withPad: " ", startingAt: 0)
      var first: Double?
      var outcome: LintOutcome?
      for (index, size) in sizes.enumerated() {
        let bytes = shape.text(Int(size * 1_048_576))
        let measured = measure(bytes, runs: index == 0 ? 3 : 1)
        outcome = measured.outcome
        line += Self.column(String(format: "%.3f s", measured.seconds))
        guard let least = first else {
          first = measured.seconds
          continue
        }
        let allowed = max(least, 0.002) * size / sizes[0] * Self.excess
        let isSlow = shape.name == SchemaShape.all.first?.name && size == megabytes && measured.seconds > Self.bar
        if measured.seconds > allowed || isSlow {
          line += measured.seconds > allowed ? "  grows out of proportion" : "  too slow"
          holds = false
          if measured.seconds > allowed * 2 { break }
        }
      }
      say(line + "  \(outcome?.findings.count ?? 0) findings\(outcome?.isIncomplete ?? true ? ", errors" : "")")
    }
    return runTool(shapes) && holds
  }

  /// Measures the tool as a process, including reading and writing.
  private func runTool(_ shapes: [SchemaShape]) -> Bool {
    guard let tool, let shape = shapes.first else { return true }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-growth-\(getpid())")
    let file = folder.appendingPathComponent("Large.schema")
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = ["lint", file.path, "--no-config"]
    process.standardOutput = FileHandle.nullDevice
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(shape.text(Int(megabytes * 1_048_576))).write(to: file)
      let start = Self.children()
      try process.run()
      process.waitUntilExit()
      let seconds = Self.children() - start
      let holds = process.terminationStatus == 0 && seconds <= Self.bar
      say("'\(tool) lint' of \(shape.name): \(String(format: "%.3f", seconds)) s\(holds ? "" : ", too slow or failed")")
      return holds
    } catch {
      say("error: \(tool) cannot be run: \(error)")
      return false
    }
  }

  /// The CPU time of ended child processes.
  private static func children() -> Double {
    var usage = rusage()
    // The value of RUSAGE_CHILDREN, whose type depends on the system.
    getrusage(-1, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func column(_ text: String) -> String { String(repeating: " ", count: max(1, 12 - text.count)) + text }

  private func measure(_ bytes: [UInt8], runs: Int) -> (seconds: Double, outcome: LintOutcome?) {
    let file = SourceFile(path: "Large.schema", bytes: bytes)
    var least = Double.infinity
    var outcome: LintOutcome?
    for _ in 0..<runs {
      let start = Self.now()
      let compilation = SchemaCompiler.compile([file])
      outcome = SchemaLinter.lint(LintInput(compilation), settings)
      least = min(least, Self.now() - start)
    }
    return (least, outcome)
  }

  /// The CPU time of this thread.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
