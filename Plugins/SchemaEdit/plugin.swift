import PackagePlugin

/// `swift package schema-edit freeze|bump|rename|accept|format …`: the verbs of `trellis`, those too that write schema
/// files and released versions, run in the folder of the package.
@main struct SchemaEdit: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try ToolCall(context: context).run("SchemaTool", arguments)
  }
}
