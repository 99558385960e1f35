/// A message of the compiler to a macro plugin. Keys that are unknown here are ignored.
enum CompilerMessage: Decodable {
  case getCapability
  case expandFreestanding(FreestandingRequest)
  case expandAttached(AttachedRequest)
  case loadLibrary
  /// A message of a later compiler.
  case unknown

  private enum Key: String, CodingKey {
    case getCapability, expandFreestandingMacro, expandAttachedMacro, loadPluginLibrary
  }

  init(from decoder: any Decoder) throws {
    let keys = try decoder.container(keyedBy: Key.self)
    if keys.contains(.getCapability) {
      self = .getCapability
    } else if keys.contains(.expandFreestandingMacro) {
      self = .expandFreestanding(try keys.decode(FreestandingRequest.self, forKey: .expandFreestandingMacro))
    } else if keys.contains(.expandAttachedMacro) {
      self = .expandAttached(try keys.decode(AttachedRequest.self, forKey: .expandAttachedMacro))
    } else if keys.contains(.loadPluginLibrary) {
      self = .loadLibrary
    } else {
      self = .unknown
    }
  }
}

/// The macro that a message concerns.
struct MacroReference: Decodable {
  var moduleName: String
  var typeName: String
  var name: String
}

/// A piece of source text and where it is.
struct SourceSyntax: Decodable {
  var source: String
  var location: Location

  struct Location: Decodable {
    var fileName: String
    /// The offset of the text in its file, in bytes.
    var offset: Int
    /// From 1.
    var line: Int?
  }
}

struct FreestandingRequest: Decodable {
  var macro: MacroReference
  var syntax: SourceSyntax
}

struct AttachedRequest: Decodable {
  var macro: MacroReference
  /// `member`, `extension`, `accessor` and others.
  var macroRole: String
  var attributeSyntax: SourceSyntax
  /// The declaration with the attribute.
  var declSyntax: SourceSyntax
  /// For an attribute of a member: the class.
  var parentDeclSyntax: SourceSyntax?
  /// For an extension: the type with its outer types.
  var extendedTypeSyntax: SourceSyntax?
  /// For an extension and for members: the conformances that the type does not have yet.
  var conformanceListSyntax: SourceSyntax?
  /// The declarations around this one without their members, the innermost first.
  var lexicalContext: [SourceSyntax]?

  /// Whether ``ModelMacro`` has found that the class around the declaration has a superclass.
  var hasSuperclass: Bool { attributeSyntax.source.contains("hasSuperclass: true") }

  /// The class that contains the declaration, without its members.
  var model: DeclarationSyntax? { (lexicalContext?.first).map { DeclarationSyntax($0.source) } }
}

/// An answer to the compiler.
enum PluginAnswer: Encodable {
  case capability(version: Int)
  case expansion(source: String?, [PluginDiagnostic])
  case libraryNotLoaded

  private enum Key: String, CodingKey {
    case getCapabilityResult, expandMacroResult, loadPluginLibraryResult
    case capability, protocolVersion, features
    case expandedSource, diagnostics, loaded
  }

  func encode(to encoder: any Encoder) throws {
    var keys = encoder.container(keyedBy: Key.self)
    switch self {
    case .capability(let version):
      var result = keys.nestedContainer(keyedBy: Key.self, forKey: .getCapabilityResult)
      var capability = result.nestedContainer(keyedBy: Key.self, forKey: .capability)
      try capability.encode(version, forKey: .protocolVersion)
      try capability.encode([String](), forKey: .features)
    case .expansion(let source, let diagnostics):
      var result = keys.nestedContainer(keyedBy: Key.self, forKey: .expandMacroResult)
      try result.encodeIfPresent(source, forKey: .expandedSource)
      try result.encode(diagnostics, forKey: .diagnostics)
    case .libraryNotLoaded:
      var result = keys.nestedContainer(keyedBy: Key.self, forKey: .loadPluginLibraryResult)
      try result.encode(false, forKey: .loaded)
      try result.encode([PluginDiagnostic](), forKey: .diagnostics)
    }
  }
}

/// A diagnostic in the form of the compiler's protocol.
struct PluginDiagnostic: Encodable, Equatable {
  var message: String
  var severity = "error"
  var position: Position
  var highlights: [Range] = []
  var notes: [Note] = []
  var fixIts: [FixIt] = []

  struct Position: Encodable, Equatable {
    var fileName: String
    var offset: Int
  }

  struct Range: Encodable, Equatable {
    var fileName: String
    var startOffset: Int
    var endOffset: Int
  }

  struct Note: Encodable, Equatable {
    var position: Position
    var message: String
  }

  struct FixIt: Encodable, Equatable {
    var message: String
    var changes: [Change]

    struct Change: Encodable, Equatable {
      var range: Range
      var newText: String
    }
  }
}
