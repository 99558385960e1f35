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
    // SwiftPM prints 'error:' in front of this text, and the findings may be warnings.
    guard process.terminationStatus == 0 else {
      throw PluginFailure("exit code \(process.terminationStatus): see the messages of \(call) above")
    }
  }
}

struct PluginFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
