import PackagePlugin

/// `swift package schema-fixture 1.0.0 …` writes populated stores for versions of a schema with the tool that contains
/// the runtime.
@main struct SchemaFixture: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try ToolCall(context: context, packageManager: packageManager).run("trellis-fixture", arguments)
  }
}
