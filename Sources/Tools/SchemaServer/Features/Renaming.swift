import SchemaCommands
import SchemaDiagnostics
import SchemaDriver

/// Renames models and properties, and records the original name.
enum Renaming {
  struct Target: Encodable {
    var range: DocumentRange
    var placeholder: String
  }

  static func prepare(
    _ parameters: PositionParameters, _ state: inout ServerState
  ) throws(ResponseError) -> Target? {
    guard let symbol = References.symbol(parameters.textDocument.uri, parameters.position, &state),
      let path = symbol.path, let location = symbol.project.location(symbol.range)
    else { return nil }
    return Target(range: location.range, placeholder: String(path.split(separator: ".").last ?? ""))
  }

  static func edits(
    _ parameters: RenameParameters, _ state: inout ServerState
  ) throws(ResponseError) -> WorkspaceEdit {
    guard let symbol = References.symbol(parameters.textDocument.uri, parameters.position, &state),
      let path = symbol.path, !symbol.project.hasErrors
    else {
      throw ResponseError(
        .requestFailed, "only models and properties of a schema that compiles can be renamed; fix the errors first")
    }
    do {
      let history = symbol.project.history(of: symbol.schema)
      let plan = try RenamePlan(path, parameters.newName, of: history, in: symbol.project.linted.folder)
      if let problem = plan.problems.first {
        throw ResponseError(.requestFailed, "\(problem.message) (\(problem.id))")
      }
      return WorkspaceEdit(symbol.project.edits(plan.textEdits), state)
    } catch let failure as DriverFailure {
      throw ResponseError(.requestFailed, failure.messages.joined(separator: "\n"))
    } catch let error as ResponseError {
      throw error
    } catch {
      throw ResponseError(.internalError, "\(error)")
    }
  }
}

/// Edits of several documents. If the client supports it, versions are stated, so that it rejects edits of text that has
/// changed.
struct WorkspaceEdit: Encodable, Sendable {
  struct Change: Encodable, Sendable {
    struct Name: Encodable, Sendable {
      var uri: String
      /// Nil for a document that is not open.
      var version: Int?

      enum CodingKeys: CodingKey { case uri, version }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(uri, forKey: .uri)
        try container.encode(version, forKey: .version)
      }
    }
    var textDocument: Name
    var edits: [DocumentEdit]
  }

  var documentChanges: [Change]?
  var changes: [String: [DocumentEdit]]?

  init(_ edits: [String: [DocumentEdit]], _ state: ServerState) {
    guard state.supportsVersions else {
      changes = edits
      return
    }
    documentChanges = edits.sorted { $0.key < $1.key }.map { uri, edits in
      Change(textDocument: .init(uri: uri, version: state.documents[uri]?.version), edits: edits)
    }
  }
}
