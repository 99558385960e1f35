import SchemaCommands

/// The handshake.
enum Initialization {
  struct Result: Encodable {
    struct Info: Encodable {
      var name = "trellis"
      var version = ToolVersion.text
    }
    var capabilities: Capabilities
    var serverInfo = Info()
  }

  struct Capabilities: Encodable {
    struct Sync: Encodable {
      struct Save: Encodable { var includeText = false }
      var openClose = true
      /// Incremental.
      var change = 2
      var save = Save()
    }
    struct Completion: Encodable { var triggerCharacters = ["@", ".", "\\", "(", "#", ":", "<", "\"", " "] }
    struct Rename: Encodable { var prepareProvider = true }
    struct Actions: Encodable { var codeActionKinds = ["quickfix"] }
    struct Lens: Encodable { var resolveProvider = false }
    struct Tokens: Encodable {
      struct Legend: Encodable {
        var tokenTypes = SemanticTokens.Kind.allCases.map(\.rawValue)
        var tokenModifiers: [String] = []
      }
      var legend = Legend()
      var full = true
    }
    struct Workspace: Encodable {
      struct Folders: Encodable {
        var supported = true
        var changeNotifications = true
      }
      var workspaceFolders = Folders()
    }

    var positionEncoding: PositionEncoding
    var textDocumentSync = Sync()
    var completionProvider = Completion()
    var hoverProvider = true
    var definitionProvider = true
    var referencesProvider = true
    var documentHighlightProvider = true
    var documentSymbolProvider = true
    var workspaceSymbolProvider = true
    var codeActionProvider = Actions()
    var codeLensProvider = Lens()
    var documentFormattingProvider = true
    var documentRangeFormattingProvider = true
    var renameProvider = Rename()
    var foldingRangeProvider = true
    var semanticTokensProvider = Tokens()
    var inlayHintProvider = true
    var workspace = Workspace()
  }

  static func start(_ parameters: InitializeParameters, _ state: inout ServerState) -> Result {
    let capabilities = parameters.capabilities
    if capabilities?.general?.positionEncodings?.contains(PositionEncoding.utf8.rawValue) ?? false {
      state.encoding = .utf8
    }
    state.supportsSnippets = capabilities?.textDocument?.completion?.completionItem?.snippetSupport ?? false
    state.supportsVersions = capabilities?.workspace?.workspaceEdit?.documentChanges ?? false
    state.supportsWatching = capabilities?.workspace?.didChangeWatchedFiles?.dynamicRegistration ?? false
    let roots = parameters.workspaceFolders?.map(\.uri) ?? [parameters.rootUri].compactMap(\.self)
    state.roots = roots.compactMap { DocumentURI.path($0) }
    state.phase = .running
    return Result(capabilities: Capabilities(positionEncoding: state.encoding))
  }
}
