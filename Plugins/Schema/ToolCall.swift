import Foundation
import PackagePlugin

/// Builds a tool as `swift build` does, and runs it in the package folder. All command plugins compile this file, some
/// through symbolic links.
///
/// The tool is not a plugin dependency, because SwiftPM would compile the modules a second time for the plugins.
struct ToolCall {
  let context: PluginContext
  let packageManager: PackageManager

  /// - Parameter tool: The product: `trellis`, or `trellis-store`, which contains the runtime.
  func run(_ tool: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = try build(tool)
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    let call = "'trellis \(arguments.first ?? "")'"
    guard process.terminationReason == .exit else {
      throw PluginFailure("\(call) was stopped by signal \(process.terminationStatus)")
    }
    // SwiftPM puts 'error:' in front of this message, although all findings may be warnings.
    guard process.terminationStatus == 0 else {
      throw PluginFailure("exit code \(process.terminationStatus); see the messages of \(call) above")
    }
  }

  /// Builds a product. Prints a notice if the build takes longer than checking an existing product.
  private func build(_ tool: String) throws -> URL {
    let record = context.pluginWorkDirectoryURL.appending(path: "\(tool).seconds")
    let last = (try? String(contentsOf: record, encoding: .utf8)).map { "took \($0) s last time" }
    let notice = DispatchWorkItem {
      Diagnostics.progress("building '\(tool)', which \(last ?? "takes about a minute the first time")")
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 3, execute: notice)
    let start = ContinuousClock.now
    let result = try packageManager.build(.product(tool), parameters: .init(configuration: .inherit))
    let seconds = (ContinuousClock.now - start).components.seconds
    notice.cancel()
    guard result.succeeded, let artifact = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
      throw PluginFailure("\(result.logText)\n'\(tool)' could not be built")
    }
    if seconds > 5 { try? "\(seconds)".write(to: record, atomically: true, encoding: .utf8) }
    // Remove this build's plan, which contains all products of Trellis. 'swift build' would reuse the plan and compile
    // all of them.
    let plan = artifact.url.deletingLastPathComponent().appending(path: "description.json")
    try? FileManager.default.removeItem(at: plan)
    return artifact.url
  }
}

struct PluginFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
