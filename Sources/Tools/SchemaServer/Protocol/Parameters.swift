/// The parameters of the client's messages, as far as the server reads them.
struct InitializeParameters: Decodable {
  struct Capabilities: Decodable {
    struct General: Decodable { var positionEncodings: [String]? }
    struct Workspace: Decodable {
      struct WatchedFiles: Decodable { var dynamicRegistration: Bool? }
      struct WorkspaceEdit: Decodable { var documentChanges: Bool? }
      var didChangeWatchedFiles: WatchedFiles?
      var workspaceEdit: WorkspaceEdit?
    }
    struct Document: Decodable {
      struct Completion: Decodable {
        struct Item: Decodable { var snippetSupport: Bool? }
        var completionItem: Item?
      }
      var completion: Completion?
    }
    var general: General?
    var workspace: Workspace?
    var textDocument: Document?
  }
  struct Folder: Decodable { var uri: String }

  var capabilities: Capabilities?
  var rootUri: String?
  var workspaceFolders: [Folder]?
}

struct DocumentName: Decodable { var uri: String }

struct VersionedDocumentName: Decodable {
  var uri: String
  var version: Int
}

struct OpenParameters: Decodable {
  struct Item: Decodable {
    var uri: String
    var languageId: String?
    var version: Int
    var text: String
  }
  var textDocument: Item
}

/// The replacement of a range, or of the whole text if there is no range.
struct ContentChange: Decodable, Sendable {
  var range: DocumentRange?
  var text: String
}

struct ChangeParameters: Decodable {
  var textDocument: VersionedDocumentName
  var contentChanges: [ContentChange]
}

struct DocumentParameters: Decodable { var textDocument: DocumentName }

struct PositionParameters: Decodable {
  var textDocument: DocumentName
  var position: Position
}

struct RangeParameters: Decodable {
  var textDocument: DocumentName
  var range: DocumentRange
}

struct ReferenceParameters: Decodable {
  struct Context: Decodable { var includeDeclaration: Bool }
  var textDocument: DocumentName
  var position: Position
  var context: Context
}

struct RenameParameters: Decodable {
  var textDocument: DocumentName
  var position: Position
  var newName: String
}

struct SymbolParameters: Decodable { var query: String }

struct CancelParameters: Decodable { var id: RequestID }

struct WatchedFilesParameters: Decodable { var changes: [DocumentName] }

struct FolderChangeParameters: Decodable {
  struct Event: Decodable {
    var added: [InitializeParameters.Folder]
    var removed: [InitializeParameters.Folder]
  }
  var event: Event
}
