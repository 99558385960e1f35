import Foundation

/// The resources that a build uses: the build command and all child processes.
struct BuildUsage: Codable {
  /// User and system time, in seconds.
  var seconds: Double
  /// The largest resident set of a process, in bytes.
  var peakBytes: Int

  /// Builds a package in a dedicated process, because the system adds up a process's children.
  static func measure(_ package: URL, _ configuration: String) throws -> BuildUsage {
    let outcome = try Child.run(Child.ownExecutable, ["build-usage", package.path, configuration])
    guard outcome.problem == nil else {
      throw RawFailure(description: "'swift build -c \(configuration)' failed in \(package.lastPathComponent)")
    }
    return try JSONDecoder().decode(BuildUsage.self, from: outcome.output)
  }

  /// Builds a package in this process.
  static func execute(_ package: String, _ configuration: String) throws -> BuildUsage {
    let outcome = try Child.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["swift", "build", "-c", configuration, "--package-path", package])
    guard outcome.problem == nil else {
      throw RawFailure(description: String(decoding: outcome.output, as: UTF8.self))
    }
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else {
      throw RawFailure(description: "the system does not report the resources that a process used")
    }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return BuildUsage(
      seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakBytes: Int(usage.ru_maxrss) * 1024)
  }
}
