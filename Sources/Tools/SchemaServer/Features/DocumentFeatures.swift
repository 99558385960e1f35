import SchemaCommands
import SchemaDiagnostics
import SchemaDriver

/// Opening, editing and closing of documents, and changes of files on disk.
enum DocumentFeatures {
  static func open(_ parameters: OpenParameters, _ state: inout ServerState) {
    state.open(parameters.textDocument)
    touch(parameters.textDocument.uri, &state)
  }

  static func change(_ parameters: ChangeParameters, _ state: inout ServerState) {
    let name = parameters.textDocument
    guard let document = state.documents[name.uri] else { return }
    state.documents[name.uri] = document.applying(parameters.contentChanges, version: name.version, state.encoding)
    touch(name.uri, &state)
  }

  static func close(_ parameters: DocumentParameters, _ state: inout ServerState) -> [ServerEffect] {
    let uri = parameters.textDocument.uri
    guard let document = state.documents[uri] else { return [] }
    touch(uri, &state)
    state.documents[uri] = nil
    guard let home = document.home else { return [Diagnostics.clear(uri)] }
    let isUsed = state.documents.values.contains { $0.home == home }
    guard !isUsed, let folder = state.folders.removeValue(forKey: home) else { return [] }
    return folder.published.sorted().map(Diagnostics.clear)
  }

  /// A saved file may be read by other folders, as a Swift file that declares types.
  static func save(_ parameters: DocumentParameters, _ state: inout ServerState) {
    if let home = state.home(of: parameters.textDocument.uri) { forget(home, &state) }
  }

  static func changeFiles(_ parameters: WatchedFilesParameters, _ state: inout ServerState) {
    let paths = parameters.changes.compactMap { DocumentURI.path($0.uri) }
    for home in state.folders.keys where paths.contains(where: { $0.hasPrefix(home + "/") || isAbove($0, home) }) {
      forget(home, &state)
    }
  }

  /// True for a configuration file in the folder or in a folder around it.
  private static func isAbove(_ path: String, _ home: String) -> Bool {
    path.hasSuffix("/" + Configuration.fileName) && home.hasPrefix(SchemaFolder.folder(of: path))
  }

  static func changeRoots(_ parameters: FolderChangeParameters, _ state: inout ServerState) {
    let removed = Set(parameters.event.removed.compactMap { DocumentURI.path($0.uri) })
    state.roots = state.roots.filter { !removed.contains($0) }
    state.roots += parameters.event.added.compactMap { DocumentURI.path($0.uri) }
  }

  /// Discards the compilation of a document's folder.
  private static func touch(_ uri: String, _ state: inout ServerState) {
    guard let home = state.home(of: uri) else { return }
    state.folders[home, default: ServerState.Folder()].project = nil
    state.folders[home]?.isChanged = true
  }

  // MARK: Folders

  /// Discards what was read from disk, so that the folder is read again, even if that failed before.
  private static func forget(_ home: String, _ state: inout ServerState) {
    state.folders[home]?.linted = nil
    state.folders[home]?.problem = nil
  }

  /// Returns the effects that read folders that are not read yet or were changed.
  static func requests(_ state: inout ServerState) -> [ServerEffect] {
    var effects: [ServerEffect] = []
    for home in state.folders.keys.sorted() {
      guard let folder = state.folders[home], folder.linted == nil, folder.problem == nil, !folder.isRequested else {
        continue
      }
      if state.documents[home] != nil {
        // The folder of a new document is not on disk.
        effects += read(home, LintedFolder.unsaved(), &state)
      } else {
        state.folders[home]?.isRequested = true
        effects.append(.read(folder: home))
      }
    }
    return effects
  }

  static func read(
    _ home: String, _ result: Result<LintedFolder, DriverFailure>, _ state: inout ServerState
  ) -> [ServerEffect] {
    guard state.folders[home] != nil else { return [] }
    state.folders[home]?.isRequested = false
    state.folders[home]?.project = nil
    state.folders[home]?.isChanged = true
    switch result {
    case .success(let linted): state.folders[home]?.linted = linted
    case .failure(let failure): state.folders[home]?.problem = failure.messages.joined(separator: "\n")
    }
    return []
  }

  static func reload(_ home: String, _ state: inout ServerState) -> [ServerEffect] {
    forget(home, &state)
    return requests(&state)
  }
}
