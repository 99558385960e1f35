import SwiftSource

/// `@_PersistedProperty`: a model property's accessors, which call generated code.
///
/// A subclass's initializer assigns properties before it calls `super.init`, when setters cannot be called. Properties
/// of a class with a superclass therefore have init accessors. With init accessors, Swift assigns default values in
/// every initializer, including the initializer for fetched models. A class with no superclass has no init accessors,
/// and its default values are part of `_$initialValues`.
enum ModelPropertyMacro {
  static func expansion(_ request: AttachedRequest) throws(MacroError) -> String {
    let property = DeclarationSyntax(request.declSyntax.source)
    guard let model = request.model else { return "" }
    switch request.macroRole {
    case "accessor": return accessors(of: property, model, hasSuperclass: request.hasSuperclass).text
    case "peer": return peers(of: property, model, hasSuperclass: request.hasSuperclass).text
    default: return ""
    }
  }

  private static func accessors(
    of property: DeclarationSyntax, _ model: DeclarationSyntax, hasSuperclass: Bool
  ) -> Code {
    let own: Code = "_$property_\(carried: property.name)"
    var accessors: [Code] = ["get { \(own) }", "set { \(own) = newValue }"]
    if hasSuperclass, property.isEphemeral {
      let storage: Code = "_$ephemeral_\(carried: property.name)"
      if property.type != nil {
        accessors.insert("@storageRestrictions(initializes: \(storage))\ninit { \(storage) = newValue }", at: 0)
      }
    } else if hasSuperclass {
      let storage: [Code] = [ModelNames.own(model.name), ModelNames.pending(model.name)].map { "\(carried: $0)" }
      let assigned: Code = "\(carried: ModelNames.assigned(property.name))"
      let arguments: [Code] = storage.map { "&\($0)" } + ["newValue"]
      accessors.insert(
        """
        @storageRestrictions(initializes: \(assigned), accesses: \(list: storage))
        init {
          \(name: model.name)._$initialize_\(carried: property.name)(\(list: arguments))
          \(assigned) = ()
        }
        """, at: 0)
    }
    return "\(lines: accessors)"
  }

  /// Returns the default value, in the class's scope, and the key path of a private property.
  private static func peers(
    of property: DeclarationSyntax, _ model: DeclarationSyntax, hasSuperclass: Bool
  ) -> Code {
    var peers: [Code] = []
    if let value = property.initialValue {
      // The snapshot's public initializer uses the value as a default argument.
      let levels = [model.memberAccess, property.memberAccess]
      let level = levels.contains(nil) ? nil : levels.contains("package") ? "package" : "public"
      let access: Code = level.map { "\(carried: $0) " } ?? ""
      if let type = property.type {
        peers.append(
          """
          \(access)nonisolated static func _$default_\(carried: property.name)() -> \(carried: type) {
            Trellis::GeneratedCode1.unisolated { \(carried: value) }
          }
          """)
      } else {
        peers.append(
          """
          \(access)nonisolated static let _$default_\(carried: property.name) = Trellis::GeneratedCode1.unisolatedFunction {
            \(carried: value)
          }
          """)
      }
    }
    if property.isEphemeral {
      let isInitialized = hasSuperclass && property.type != nil
      let type: Code = property.type.map { ": \(carried: $0)" } ?? ""
      let value: Code = isInitialized ? "" : property.initialValue.map { " = \(carried: $0)" } ?? ""
      peers.append("var _$ephemeral_\(carried: property.name)\(type)\(value)")
    } else if hasSuperclass {
      peers.append("var \(carried: ModelNames.assigned(property.name)): Swift::Void")
    }
    if property.isPrivate {
      let type: Code =
        property.type.map { "Swift::KeyPath<\(name: model.name), \(carried: $0)>" } ?? "Swift::AnyKeyPath"
      peers.append(
        "static var _$path_\(carried: property.name): \(type) { \\\(name: model.name).\(name: property.name) }"
      )
    }
    return "\(lines: peers)"
  }
}

/// `@_ModelInitializer` and `@_ModelDeinitializer`: statements added to a model's bodies.
enum ModelBodyMacro {
  static func initializer(_ request: AttachedRequest) throws(MacroError) -> String {
    let declaration = DeclarationSyntax(request.declSyntax.source)
    guard let model = request.model, let body = declaration.body else { return "" }
    let (type, own): (Code, Code) = ("\(name: model.name)", "\(carried: ModelNames.own(model.name))")
    let start: Code =
      request.hasSuperclass
      ? "\(type)._$begin_\(carried: model.name)(&\(own), Self._$definition)"
      : "\(own) = \(type)._$initialValues_\(carried: model.name)(Self._$definition)"
    // On the line of the call, so that later errors keep their line numbers.
    let pending: Code = "\(carried: ModelNames.pending(model.name))"
    let link: Code = "; for link in \(pending) { link(self) }; \(pending) = []"
    let links = declaration.superInitializers.map {
      DeclarationSyntax.Insertion(offset: $0.upperBound, text: link.text)
    }
    let text = declaration.text(body, with: declaration.closuresAroundCaptureLists + links)
    return located(text, after: start, request, line: declaration.line(of: body.lowerBound)).text
  }

  static func deinitializer(_ request: AttachedRequest) throws(MacroError) -> String {
    let declaration = DeclarationSyntax(request.declSyntax.source)
    guard let body = declaration.body else { return "" }
    // The compiler warns about a `defer` at the end of a scope.
    if declaration.text(body).allSatisfy(\.isWhitespace) { return ("{ \(ModelNames.close) }" as Code).text }
    let line = declaration.line(of: body.lowerBound)
    let text = declaration.text(body, with: declaration.closuresAroundCaptureLists)
    return located(text, after: "defer { \(ModelNames.close) }", request, line: line).text
  }

  /// Returns a body in which errors have the source's line numbers.
  private static func located(_ body: Code, after statement: Code, _ request: AttachedRequest, line: Int) -> Code {
    let location = request.declSyntax.location
    guard let first = location.line else { return "{ \(statement)\n\(body)\n}" }
    return """
      {
      \(statement)
      #sourceLocation(file: \(literal: location.fileName), line: \(first + line))
      \(body)
      #sourceLocation()
      }
      """
  }
}
