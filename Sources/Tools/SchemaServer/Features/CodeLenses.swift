import SchemaDiagnostics
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// The state of the schema above the version line: released, or changed since a release.
enum CodeLenses {
  struct Lens: Encodable {
    struct Command: Encodable {
      var title: String
      /// Empty: the lens only informs.
      var command = ""
    }
    var range: DocumentRange
    var command: Command
  }

  static func lenses(_ uri: String, _ state: inout ServerState) -> [Lens] {
    guard let (project, tree) = state.tree(of: uri),
      let schema = project.schema(containing: tree.fileIndex), schema.versionRange.file == tree.fileIndex,
      !project.hasErrors, let location = project.location(schema.versionRange)
    else { return [] }
    return [Lens(range: location.range, command: .init(title: title(project.history(of: schema))))]
  }

  static func title(_ history: SchemaHistory) -> String {
    let version = history.head.version
    guard let released = history.frozen.last else { return "\(version) is not released" }
    if let stage = history.openStages.last {
      let open = stage.unhandled.count { !$0.isSuccessor }
      let parts = [
        counted(stage.changes.count - open, "change is safe", "changes are safe"),
        counted(open, "change needs an answer", "changes need an answer"),
      ]
      return "since \(stage.from.version): " + parts.joined(separator: ", ")
    }
    let isEdited = history.frozen.contains {
      $0.version == version && history.fingerprint(of: $0) != history.headFingerprint
    }
    return isEdited
      ? "edited since the release of \(version): set the next version" : "released in \(released.version)"
  }

  private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
