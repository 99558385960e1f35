import Foundation
import SchemaCommands
import SchemaDriver

/// The language server: a function from a state and an event to a state and effects.
package enum Server {
  /// Handles an event.
  ///
  /// - Returns: The effects, in order.
  package static func handle(_ event: ServerEvent, _ state: inout ServerState) -> [ServerEffect] {
    switch event {
    case .message(let body): message(body, &state)
    case .read(let folder, let result): DocumentFeatures.read(folder, result, &state)
    case .changed(let folder): DocumentFeatures.reload(folder, &state)
    case .idle: Diagnostics.publish(&state)
    }
  }

  private static func message(_ body: Data, _ state: inout ServerState) -> [ServerEffect] {
    let message: IncomingMessage
    do { message = try IncomingMessage(body) } catch {
      return [.send(.failure(nil, ResponseError(.parseError, "the message is not valid JSON-RPC: \(error)")))]
    }
    // Answers to the server's own requests need no action.
    guard let method = message.method else { return [] }
    do throws(ResponseError) {
      guard let id = message.id else { return try notification(method, message, &state) }
      return [.send(try response(id, method, message, &state))] + DocumentFeatures.requests(&state)
    } catch {
      return message.id.map { [.send(.failure($0, error))] } ?? []
    }
  }

  private static func notification(
    _ method: String, _ message: IncomingMessage, _ state: inout ServerState
  ) throws(ResponseError) -> [ServerEffect] {
    if method == "exit" { return [.exit(state.phase == .shutDown ? .clean : .findings)] }
    guard state.phase == .running else { return [] }
    switch method {
    case "initialized": return state.supportsWatching ? [.send(watchedFiles)] : []
    case "textDocument/didOpen": DocumentFeatures.open(try message.parameters(OpenParameters.self), &state)
    case "textDocument/didChange": DocumentFeatures.change(try message.parameters(ChangeParameters.self), &state)
    case "textDocument/didClose": return DocumentFeatures.close(try message.parameters(DocumentParameters.self), &state)
    case "textDocument/didSave": DocumentFeatures.save(try message.parameters(DocumentParameters.self), &state)
    case "workspace/didChangeWatchedFiles":
      DocumentFeatures.changeFiles(try message.parameters(WatchedFilesParameters.self), &state)
    case "workspace/didChangeWorkspaceFolders":
      DocumentFeatures.changeRoots(try message.parameters(FolderChangeParameters.self), &state)
    // Other notifications, such as '$/setTrace', need no action.
    default: return []
    }
    return DocumentFeatures.requests(&state)
  }

  private static func response(
    _ id: RequestID, _ method: String, _ message: IncomingMessage, _ state: inout ServerState
  ) throws(ResponseError) -> OutgoingMessage {
    switch (method, state.phase) {
    case ("initialize", .waiting):
      return .response(id, Initialization.start(try message.parameters(InitializeParameters.self), &state))
    case (_, .waiting): throw ResponseError(.notInitialized, "the first request must be 'initialize'")
    case ("initialize", _): throw ResponseError(.invalidRequest, "the server is already initialized")
    case (_, .shutDown): throw ResponseError(.invalidRequest, "the server was shut down")
    case ("shutdown", .running):
      state.phase = .shutDown
      return .response(id, Nothing())
    default: break
    }
    // SourceKit-LSP serves Swift files. Only facts about their models are missing there.
    if (try? document(message))?.hasSuffix(SchemaPaths.swiftSuffix) == true,
      !["textDocument/hover", "textDocument/codeLens"].contains(method)
    {
      return .response(id, Nothing())
    }
    switch method {
    case "textDocument/completion": return .response(id, try Completion.items(position(message), &state))
    case "textDocument/hover": return .response(id, try Hover.text(position(message), &state))
    case "textDocument/definition": return .response(id, try References.definition(position(message), &state))
    case "textDocument/references":
      return .response(id, References.find(try message.parameters(ReferenceParameters.self), &state))
    case "textDocument/documentHighlight": return .response(id, try References.highlights(position(message), &state))
    case "textDocument/documentSymbol": return .response(id, Symbols.outline(try document(message), &state))
    case "workspace/symbol": return .response(id, Symbols.find(try message.parameters(SymbolParameters.self), &state))
    case "textDocument/prepareRename": return .response(id, try Renaming.prepare(position(message), &state))
    case "textDocument/rename":
      return .response(id, try Renaming.edits(try message.parameters(RenameParameters.self), &state))
    case "textDocument/codeAction":
      return .response(id, CodeActions.actions(try message.parameters(RangeParameters.self), &state))
    case "textDocument/formatting": return .response(id, try Formatting.document(document(message), &state))
    case "textDocument/rangeFormatting":
      return .response(id, try Formatting.range(message.parameters(RangeParameters.self), &state))
    case "textDocument/semanticTokens/full": return .response(id, SemanticTokens.all(try document(message), &state))
    case "textDocument/foldingRange": return .response(id, Folding.ranges(try document(message), &state))
    case "textDocument/inlayHint":
      return .response(id, InlayHints.hints(try message.parameters(RangeParameters.self), &state))
    case "textDocument/codeLens": return .response(id, CodeLenses.lenses(try document(message), &state))
    default: throw ResponseError(.methodNotFound, "the server does not support '\(method)'")
    }
  }

  private static func position(_ message: IncomingMessage) throws(ResponseError) -> PositionParameters {
    try message.parameters(PositionParameters.self)
  }

  private static func document(_ message: IncomingMessage) throws(ResponseError) -> String {
    try message.parameters(DocumentParameters.self).textDocument.uri
  }

  // MARK: Watched files

  private struct Registrations: Encodable {
    struct Registration: Encodable {
      struct Options: Encodable { var watchers: [Watcher] }
      struct Watcher: Encodable { var globPattern: String }
      var id: String
      var method: String
      var registerOptions: Options
    }
    var registrations: [Registration]
  }

  private static let watchedFiles = OutgoingMessage.request(
    .text("watch"), "client/registerCapability",
    Registrations(registrations: [
      .init(
        id: "files", method: "workspace/didChangeWatchedFiles",
        registerOptions: .init(
          watchers: ["**/*.schema", "**/versions/*.lock", "**/schema.config.json"].map { .init(globPattern: $0) }))
    ]))
}
