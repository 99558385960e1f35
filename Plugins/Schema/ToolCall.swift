import Foundation
import PackagePlugin

/// Runs `trellis` in the folder of the package. The other command plugins compile this file through symbolic links.
struct ToolCall {
  let context: PluginContext

  /// - Parameter tool: The executable: `SchemaTool`, or `TrellisTool`, which contains the runtime.
  func run(_ tool: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: tool).url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    let call = "'trellis \(arguments.first ?? "")'"
    guard process.terminationReason == .exit else {
      throw PluginFailure("\(call) was stopped by signal \(process.terminationStatus)")
    }
    switch process.terminationStatus {
    case 0: return
    case 1: throw PluginFailure("\(call) has findings")
    case 2: throw PluginFailure("\(call) could not run as it was called")
    case 3: throw PluginFailure("\(call) stopped at a schema that does not compile")
    case let status: throw PluginFailure("\(call) ended with \(status)")
    }
  }
}

struct PluginFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
