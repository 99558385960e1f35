import Foundation
import PackagePlugin

/// `swift package schema check|lint|diff|verify|breaking …`: the verbs of `trellis` that write nothing, run in the
/// folder of the package.
@main struct Schema: CommandPlugin {
  private static let verbs = ["breaking", "check", "diff", "inspect", "lint", "preflight", "verify"]

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    guard let verb = arguments.first, Self.verbs.contains(verb) else {
      throw PluginFailure(
        "'swift package schema' is followed by one of \(Self.verbs.joined(separator: ", ")) and, "
          + "perhaps, schema files; 'swift package schema-edit' writes")
    }
    guard !arguments.contains("--rebuild-lock") else {
      throw PluginFailure("this writes: swift package schema-edit \(arguments.joined(separator: " "))")
    }
    let process = Process()
    process.executableURL = try context.tool(named: "TrellisTool").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      throw PluginFailure("'trellis \(verb)' was stopped by signal \(process.terminationStatus)")
    }
    switch process.terminationStatus {
    case 0: return
    case 1: throw PluginFailure("'trellis \(verb)' has findings")
    case 2: throw PluginFailure("'trellis \(verb)' could not run as it was called")
    case 3: throw PluginFailure("'trellis \(verb)' stopped at a schema that does not compile")
    case let status: throw PluginFailure("'trellis \(verb)' ended with \(status)")
    }
  }
}

private struct PluginFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
