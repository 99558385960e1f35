import SchemaDiagnostics
import SchemaLint

/// Findings while the user types.
enum Diagnostics {
  struct Item: Encodable {
    struct Related: Encodable {
      var location: Location
      var message: String
    }
    var range: DocumentRange
    var severity: Int
    var code: String
    var source = "trellis"
    var message: String
    var relatedInformation: [Related]?
  }

  private struct Parameters: Encodable {
    var uri: String
    var version: Int?
    var diagnostics: [Item]
  }

  /// Returns the diagnostics of folders that changed since they were last published.
  static func publish(_ state: inout ServerState) -> [ServerEffect] {
    state.folders.keys.sorted().flatMap { publish($0, &state) }
  }

  private static func publish(_ home: String, _ state: inout ServerState) -> [ServerEffect] {
    guard let folder = state.folders[home], folder.isChanged else { return [] }
    var found: [String: [Item]] = [:]
    if let project = state.project(in: home) {
      for finding in project.outcome.findings where finding.isOpen {
        guard let location = project.location(finding.diagnostic.range) else { continue }
        found[location.uri, default: []].append(item(finding.diagnostic, location.range, project))
      }
    } else if let problem = folder.problem {
      // The folder's open documents show why nothing else is reported.
      let start = Position(line: 0, character: 0)
      for uri in state.documents.keys where state.documents[uri]?.home == home {
        let range = DocumentRange(start: start, end: start)
        found[uri] = [Item(range: range, severity: 1, code: "folder", message: problem)]
      }
    } else {
      // The folder is being read.
      return []
    }
    let open = state.documents.values.filter { $0.home == home }.map(\.uri)
    let uris = Set(found.keys).union(folder.published).union(open)
    state.folders[home]?.isChanged = false
    state.folders[home]?.published = Set(found.keys)
    return uris.sorted().map { uri in
      let parameters = Parameters(uri: uri, version: state.documents[uri]?.version, diagnostics: found[uri] ?? [])
      return .send(.notification("textDocument/publishDiagnostics", parameters))
    }
  }

  static func clear(_ uri: String) -> ServerEffect {
    .send(.notification("textDocument/publishDiagnostics", Parameters(uri: uri, diagnostics: [])))
  }

  private static func item(_ diagnostic: Diagnostic, _ range: DocumentRange, _ project: Project) -> Item {
    let related = diagnostic.related.compactMap { related in
      project.location(related.range).map { Item.Related(location: $0, message: related.text) }
    }
    return Item(
      range: range, severity: diagnostic.severity.number, code: diagnostic.id.code,
      message: diagnostic.message + (diagnostic.help.map { "\n\($0)" } ?? ""),
      relatedInformation: related.isEmpty ? nil : related)
  }
}

extension Severity {
  /// The protocol's number.
  fileprivate var number: Int {
    switch self {
    case .error: 1
    case .warning: 2
    case .info: 3
    }
  }
}
