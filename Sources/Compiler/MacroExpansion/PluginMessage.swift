/// A message from the compiler to a macro plugin. Unknown keys are ignored.
enum CompilerMessage: Decodable {
  case getCapability
  case expandFreestanding(FreestandingRequest)
  case expandAttached(AttachedRequest)
  case loadLibrary
  /// A message that only newer compilers send.
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

/// Source text with location.
struct SourceSyntax: Decodable {
  var source: String
  var location: Location

  struct Location: Decodable {
    var fileName: String
    /// The byte offset in the file.
    var offset: Int
    /// 1-based.
    var line: Int?
  }
}

struct FreestandingRequest: Decodable {
  var macro: MacroReference
  var syntax: SourceSyntax
}

struct AttachedRequest: Decodable {
  var macro: MacroReference
  /// The macro role, such as `member`, `extension` or `accessor`.
  var macroRole: String
  var attributeSyntax: SourceSyntax
  /// The declaration with the attribute.
  var declSyntax: SourceSyntax
  /// The class, for a member's attribute.
  var parentDeclSyntax: SourceSyntax?
  /// The extended type with its outer types, for an extension.
  var extendedTypeSyntax: SourceSyntax?
  /// Missing conformances, for extensions and members.
  var conformanceListSyntax: SourceSyntax?
  /// The enclosing declarations, excluding members, innermost first.
  var lexicalContext: [SourceSyntax]?

  /// True if ``ModelMacro`` found that the enclosing class has a superclass.
  var hasSuperclass: Bool { attributeSyntax.source.contains("hasSuperclass: true") }

  /// The enclosing class, excluding members.
  var model: DeclarationSyntax? { (lexicalContext?.first).map { DeclarationSyntax($0.source) } }
}

/// A response to the compiler.
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

/// A diagnostic in the compiler's protocol format.
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
