import SwiftSource

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Responds to the compiler's messages.
package enum MacroHost {
  /// The protocol version. The compiler sends only messages that the plugin's version supports.
  private static let protocolVersion = 7

  /// Returns the response to a message, both as JSON.
  ///
  /// An unreadable message produces a failed expansion, which the compiler reports.
  package static func answer(_ message: [UInt8]) -> [UInt8] {
    let answer: PluginAnswer
    do {
      answer = expand(try JSONDecoder().decode(CompilerMessage.self, from: Data(message)))
    } catch {
      answer = .expansion(source: nil, [])
    }
    return (try? JSONEncoder().encode(answer)).map { Array($0) }
      ?? Array(#"{"expandMacroResult":{"diagnostics":[]}}"#.utf8)
  }

  private static func expand(_ message: CompilerMessage) -> PluginAnswer {
    switch message {
    case .getCapability: .capability(version: protocolVersion)
    case .loadLibrary: .libraryNotLoaded
    case .expandFreestanding(let request): expand(request)
    case .expandAttached(let request): expand(request)
    case .unknown: .expansion(source: nil, [])
    }
  }

  private static func expand(_ request: FreestandingRequest) -> PluginAnswer {
    let location = request.syntax.location
    let macro: ExpressionMacro
    switch request.macro.typeName {
    case "PredicateMacro": macro = .predicate
    case "ExpressionMacro": macro = .expression
    // `#Unique` and `#Index` expand to nothing: the schema compiler reads them.
    case "NothingMacro": return .expansion(source: "", [])
    default: return .expansion(source: nil, [unknown(request.macro, location)])
    }
    do throws(MacroError) {
      return .expansion(source: try macro.expansion(of: request.syntax.source), [])
    } catch {
      return .expansion(source: nil, [diagnostic(error, location)])
    }
  }

  private static func expand(_ request: AttachedRequest) -> PluginAnswer {
    do throws(MacroError) {
      switch request.macro.typeName {
      case "ModelActorMacro": return .expansion(source: try ModelActorMacro.expansion(request), [])
      case "ModelMacro": return .expansion(source: try ModelMacro.expansion(request), [])
      case "PersistedPropertyMacro": return .expansion(source: try ModelPropertyMacro.expansion(request), [])
      case "ModelInitializerMacro":
        return .expansion(source: try ModelBodyMacro.initializer(request), [])
      case "ModelDeinitializerMacro":
        return .expansion(source: try ModelBodyMacro.deinitializer(request), [])
      case "NothingMacro": return .expansion(source: "", [])
      default: return .expansion(source: nil, [unknown(request.macro, request.attributeSyntax.location)])
      }
    } catch {
      return .expansion(source: nil, [diagnostic(error, request.declSyntax.location)])
    }
  }

  private static func unknown(_ macro: MacroReference, _ location: SourceSyntax.Location) -> PluginDiagnostic {
    PluginDiagnostic(
      message: "unknown macro '\(macro.typeName)'; the Trellis macros and library have different versions",
      position: PluginDiagnostic.Position(fileName: location.fileName, offset: location.offset))
  }

  private static func diagnostic(_ error: MacroError, _ location: SourceSyntax.Location) -> PluginDiagnostic {
    // A message with a damaged location must not stop the plugin.
    let start = location.offset &+ error.range.lowerBound
    let range = PluginDiagnostic.Range(
      fileName: location.fileName, startOffset: start, endOffset: location.offset &+ error.range.upperBound)
    let position = PluginDiagnostic.Position(fileName: location.fileName, offset: start)
    return PluginDiagnostic(message: error.message, position: position, highlights: [range])
  }
}

/// The macros that build predicate trees for Foundation.
enum ExpressionMacro {
  case predicate, expression

  /// Returns the expression that replaces the macro use.
  func expansion(of source: String) throws(MacroError) -> String {
    do {
      var parser = ExpressionParser(source)
      let (arguments, closure) = try parser.macro()
      var emitter = PredicateEmitter(parser)
      let type = self == .predicate ? "Foundation::Predicate" : "Foundation::Expression"
      return "\(type)\(arguments ?? "")(\(try emitter.closure(closure).text))"
    } catch let error as MacroError {
      throw error
    } catch let error as PredicateEmitter.Unsupported {
      throw error.error
    } catch {
      throw MacroError("\(error)", at: 0..<0)
    }
  }
}
