import SchemaModel
import SwiftSource

/// `<Target>+Macros.swift`: the macros `#Predicate` and `#Expression`.
///
/// Each target declares the macros itself, because a module's own macro hides imported macros. If Trellis declared
/// them, every use would also be checked against Foundation's macros: conditions with 8 terms would take seconds,
/// conditions with 16 terms would not compile, and comparisons with optionals would choose Foundation's macro.
struct MacrosEmitter {
  let input: EmissionInput

  var output: (name: String, file: File) {
    let anchor = FileEmitter.identifier(input.target) + "Macros"
    let file = FileEmitter(input: input).file(from: [], anchor: anchor) {
      plugin
      predicate("<Input: \(model)>", "(Input)", "<Input>", Self.trellis)
      predicate("<Input>", "(Input)", "<Input>", Self.foundation)
      predicate("<Input, each More>", "(Input, repeat each More)", "<Input, repeat each More>", Self.foundation)
      expression("<Input: \(model), Output>", "(Input)", "<Input, Output>", Self.trellis)
      expression("<Input, Output>", "(Input)", "<Input, Output>", Self.foundation)
      expression(
        "<Input, each More, Output>", "(Input, repeat each More)", "<Input, repeat each More, Output>", Self.foundation)
    }
    return (OutputNaming.macros(target: input.target), file)
  }

  private static let trellis: Code = "TrellisMacros"
  private static let foundation: Code = "FoundationMacros"

  /// The alias that the macro `@Model` refers to. If the plugin is missing, the compiler reports an unknown name.
  private var plugin: TypeAlias {
    TypeAlias(
      Heading(nil, documentation: ["Error here? Add the plugin 'GenerateModels' to the target in Package.swift."]),
      "_$AddThePluginGenerateModelsToTheTarget", "Swift::Void")
  }

  private var model: Code { "\(carried: RuntimeNames.module)::PersistentModel" }

  private func predicate(_ parameters: Code, _ inputs: Code, _ arguments: Code, _ module: Code) -> Function {
    macro(
      "macro Predicate\(parameters)", "\(inputs) -> Swift::Bool", "Foundation::Predicate\(arguments)", module,
      "PredicateMacro")
  }

  private func expression(_ parameters: Code, _ inputs: Code, _ arguments: Code, _ module: Code) -> Function {
    macro(
      "macro Expression\(parameters)", "\(inputs) -> Output", "Foundation::Expression\(arguments)", module,
      "ExpressionMacro")
  }

  private func macro(_ name: Code, _ body: Code, _ result: Code, _ module: Code, _ type: Code) -> Function {
    // A public macro would compete with the macros that client modules declare. Declared as a system programming
    // interface (SPI), it is invisible to clients, even with `@testable`.
    let isPublic = input.access != .internal
    var heading = Heading(isPublic ? .public : nil, attributes: ["@freestanding(expression)"])
    if isPublic { heading.attributes.append("@_spi(TrellisMacros)") }
    heading.documentation =
      module.text == Self.trellis.text
      ? ["For models: expanded by Trellis."] : ["For other types: expanded by Foundation."]
    return Function(
      heading, name, ["_ body: \(body)"],
      suffix: " -> \(result) = #externalMacro(module: \"\(module)\", type: \"\(type)\")", isRequirement: true)
  }
}
