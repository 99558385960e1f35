import PackagePlugin

/// `swift package schema-fixture 1.0.0 …`: populated stores of the versions of a schema, by the tool that
/// has the runtime, in the folder of the package.
@main struct SchemaFixture: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try ToolCall(context: context).run("TrellisTool", arguments)
  }
}
