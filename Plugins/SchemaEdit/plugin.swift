import PackagePlugin

/// `swift package schema-edit freeze|bump|rename|accept|format …` runs all verbs of `trellis` in the package folder,
/// including verbs that write schema files and released versions.
@main struct SchemaEdit: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    try ToolCall(context: context, packageManager: packageManager).run("trellis", arguments)
  }
}
