import PackagePlugin

/// `swift package schema-store fixture|import|export|store …` runs the verbs that read and write stores in the package
/// folder. It runs the tool that contains the runtime.
@main struct SchemaStore: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try ToolCall(context: context, packageManager: packageManager).run("trellis-store", arguments)
  }
}
