import PackagePlugin

/// `swift package schema check|lint|diff|verify|breaking …`: the verbs of `trellis` that write nothing, run in the
/// folder of the package. `fixture` answers where it is.
@main struct Schema: CommandPlugin {
  private static let verbs = [
    "breaking", "check", "completion", "diff", "explain", "fixture", "format", "graph", "inspect", "lint", "manual",
    "preflight", "rules", "verify",
  ]

  func performCommand(context: PluginContext, arguments: [String]) async throws {
    guard let verb = arguments.first, Self.verbs.contains(verb) else {
      throw PluginFailure(
        "'swift package schema' is followed by one of \(Self.verbs.joined(separator: ", ")) and, "
          + "perhaps, schema files; 'swift package schema-edit' writes, 'schema-fixture' makes stores")
    }
    let writing = ["--rebuild-lock", "--fix", "--write-baseline", "--prune-baseline"]
    guard !arguments.contains(where: writing.contains) else {
      throw PluginFailure("this writes: swift package schema-edit \(arguments.joined(separator: " "))")
    }
    // Of the two that read and write, the flags tell.
    let reads = ["--check", "--diff", "-", "--help", "-h"]
    guard verb != "format" || arguments.contains(where: reads.contains) else {
      throw PluginFailure(
        "this writes: swift package schema-edit \(arguments.joined(separator: " ")); add '--check' or '--diff'")
    }
    try ToolCall(context: context).run("SchemaTool", arguments)
  }
}
