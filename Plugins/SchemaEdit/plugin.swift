import PackagePlugin

/// `swift package schema-edit freeze|bump|rename|accept|format …`: the verbs of `trellis` that write schema
/// files and released versions, run in the folder of the package.
@main struct SchemaEdit: CommandPlugin {
  private static let verbs = ["accept", "bump", "format", "freeze", "import", "lint", "rename", "verify"]

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    guard let verb = arguments.first, Self.verbs.contains(verb) else {
      throw PluginFailure(
        "'swift package schema-edit' is followed by one of \(Self.verbs.joined(separator: ", ")) and what "
          + "'--help' says behind it")
    }
    try ToolCall(context: context).run("SchemaTool", arguments)
  }
}
