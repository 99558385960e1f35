import PackagePlugin

/// `swift package schema check|lint|diff|verify|breaking …` runs read-only verbs of `trellis` in the package folder.
/// `fixture` is a verb of `schema-store`. Without arguments, the plugin prints the help text.
@main struct Schema: CommandPlugin {
  /// The verbs that another tool implements, and the source forms of `import` that it reads.
  private static let ofStores: Set = ["fixture"]
  private static let writing = ["accept", "bump", "freeze", "import", "init", "rename"]

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let verb = arguments.first ?? "help"
    let asksForHelp = arguments.contains("--help") || arguments.contains("-h")
    // Some verbs write only with certain flags, or read only with others.
    let flags = ["--rebuild-lock", "--fix", "--write-baseline", "--prune-baseline"]
    let reads =
      verb == "format" && arguments.contains { ["--check", "--diff", "-"].contains($0) }
      || verb == "generate" && arguments.contains("--check")
    let writes =
      Self.writing.contains(verb) || arguments.contains(where: flags.contains)
      || (verb == "format" || verb == "generate") && !reads
    guard !writes || asksForHelp else {
      throw PluginFailure(
        "this command writes files: swift package --allow-writing-to-package-directory schema-edit "
          + arguments.joined(separator: " ")
          + (verb == "format" || verb == "generate" ? "; '--check' writes nothing" : ""))
    }
    guard !Self.ofStores.contains(verb) || asksForHelp else {
      throw PluginFailure(
        "this command opens stores: swift package --allow-writing-to-package-directory schema-store "
          + arguments.joined(separator: " "))
    }
    // While a plugin runs, SwiftPM cannot build anything else.
    guard verb != "watch" || asksForHelp else {
      throw PluginFailure("'watch' would block SwiftPM builds: use 'swift run trellis watch'")
    }
    try ToolCall(context: context, packageManager: packageManager).run("trellis", arguments)
  }
}
