import SwiftSource

/// `@ModelActor`: an executor, the container and an initializer.
enum ModelActorMacro {
  static func expansion(_ request: AttachedRequest) throws(MacroError) -> String {
    let declaration = DeclarationSyntax(request.declSyntax.source)
    let isActor = declaration.keyword == "actor"
    switch request.macroRole {
    case "member":
      guard isActor else {
        throw MacroError(
          "'@ModelActor' needs an actor; write 'actor' instead of '\(declaration.keyword)'",
          at: declaration.keywordRange)
      }
      return members(declaration).text
    case "extension":
      // If the list is missing, the actor declares the conformance itself.
      guard isActor, request.conformanceListSyntax != nil, let type = request.extendedTypeSyntax?.source else {
        return ""
      }
      return ("extension \(carried: type): Trellis::ModelActor {}" as Code).text
    default: return ""
    }
  }

  private static func members(_ declaration: DeclarationSyntax) -> Code {
    let access: Code = declaration.memberAccess.map { "\(carried: $0) " } ?? ""
    var members: [Code] = [
      "\(access)nonisolated let modelExecutor: any Trellis::ModelExecutor",
      "\(access)nonisolated let modelContainer: Trellis::ModelContainer",
    ]
    if !declaration.declaresInitializer(labels: ["modelContainer"]) {
      members.append(
        """
        \(access)init(modelContainer: Trellis::ModelContainer) {
          self.modelExecutor = Trellis::DefaultSerialModelExecutor(modelContext: Trellis::ModelContext(modelContainer))
          self.modelContainer = modelContainer
        }
        """)
    }
    return "\(lines: members)"
  }
}
