import Foundation

/// The result of an execution.
struct Sample {
  /// Milliseconds or mebibytes, depending on the operation.
  var value: Double
  /// The result's checksum, or nil to compare the stored contents afterwards.
  var checksum: String?

  /// Runs the body and measures the time.
  static func time<Result>(_ body: () throws -> Result) rethrows -> (result: Result, value: Double) {
    let start = now
    let result = try body()
    return (result, now - start)
  }

  /// Milliseconds since the process started.
  static var now: Double { (ContinuousClock.now - began) / .milliseconds(1) }

  private static let began = ContinuousClock.now

  /// Runs the body and measures the resident memory growth in MiB.
  static func growth<Result>(_ body: () throws -> Result) throws -> (result: Result, value: Double) {
    let before = try residentBytes()
    let result = try body()
    return (result, Double(try residentBytes() - before) / 1_048_576)
  }

  /// Runs the body and measures the additional peak memory in MiB.
  static func peak<Result>(_ body: () throws -> Result) throws -> (result: Result, value: Double) {
    // Reset the peak resident memory.
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    let before = try residentBytes()
    let result = try body()
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let peak = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { throw RawFailure(description: "no memory statistics") }
    return (result, Double(peak * 1024 - before) / 1_048_576)
  }

  private static func residentBytes() throws -> Int {
    let statistics = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let fields = statistics.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else {
      throw RawFailure(description: "no memory statistics")
    }
    return pages * NSPageSize()
  }
}

/// Holds the only reference to a value whose release is measured. Methods are not inlined, so the caller has no copy.
final class Holder<Value> {
  private var value: Value?

  @inline(never) init(_ make: () throws -> Value) rethrows { value = try make() }

  @inline(never) func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result? {
    try value.map(body)
  }

  @inline(never) func release() { value = nil }
}
