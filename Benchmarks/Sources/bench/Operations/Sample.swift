import Foundation

/// What one execution of an operation gave.
struct Sample {
  /// Milliseconds or mebibytes, as the operation says.
  var value: Double
  /// Of what was found; nil when what is stored afterwards is to be compared.
  var checksum: String?

  /// Runs the body against the clock.
  static func time<Result>(_ body: () throws -> Result) rethrows -> (result: Result, value: Double) {
    let start = now
    let result = try body()
    return (result, now - start)
  }

  /// Milliseconds since an arbitrary moment.
  static var now: Double { (ContinuousClock.now - began) / .milliseconds(1) }

  private static let began = ContinuousClock.now

  /// Runs the body and measures how much memory the process has more of afterwards.
  static func growth<Result>(_ body: () throws -> Result) throws -> (result: Result, value: Double) {
    let before = try residentBytes()
    let result = try body()
    return (result, Double(try residentBytes() - before) / 1_048_576)
  }

  /// Runs the body and measures how much more memory than before the process had while it ran.
  static func peak<Result>(_ body: () throws -> Result) throws -> (result: Result, value: Double) {
    // Makes the highest value so far the present one.
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

/// Holds the only reference to something whose release is measured. Nothing here is inlined, so no
/// copy lives on in the caller.
final class Holder<Value> {
  private var value: Value?

  @inline(never) init(_ make: () throws -> Value) rethrows { value = try make() }

  @inline(never) func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result? {
    try value.map(body)
  }

  @inline(never) func release() { value = nil }
}
