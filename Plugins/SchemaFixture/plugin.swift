import PackagePlugin

/// `swift package schema-fixture 1.0.0 …` writes stores with test data for schema versions. It runs the tool that
/// contains the runtime.
@main struct SchemaFixture: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try ToolCall(context: context, packageManager: packageManager).run("trellis-fixture", arguments)
  }
}
