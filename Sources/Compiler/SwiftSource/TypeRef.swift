/// A type as generated code names it: always with the module it lives in.
package struct TypeRef: Hashable, Sendable {
  /// The type as Swift text, made once: most types are named many times.
  package let text: String
  package let isOptional: Bool
  /// Whether a question mark behind it would belong to its last word.
  private let isLoose: Bool

  private init(_ text: String, isOptional: Bool = false, isLoose: Bool = false) {
    self.text = text
    self.isOptional = isOptional
    self.isLoose = isLoose
  }

  /// `module::name`, or the bare name without a module.
  package init(_ name: String, in module: String? = nil, _ arguments: TypeRef...) {
    let prefix = module.map { $0 + "::" } ?? ""
    let suffix =
      arguments.isEmpty ? "" : "<" + arguments.map(\.text).joined(separator: ", ") + ">"
    self.init(prefix + SwiftKeyword.escaped(name) + suffix)
  }

  /// A type inside this one.
  package func member(_ name: String) -> TypeRef {
    TypeRef(text + "." + SwiftKeyword.escaped(name))
  }

  package static func optional(_ wrapped: TypeRef) -> TypeRef {
    TypeRef(wrapped.isLoose ? "(" + wrapped.text + ")?" : wrapped.text + "?", isOptional: true)
  }

  package static func array(_ element: TypeRef) -> TypeRef { TypeRef("[" + element.text + "]") }

  package static func dictionary(key: TypeRef, value: TypeRef) -> TypeRef {
    TypeRef("[" + key.text + ": " + value.text + "]")
  }

  package static func any(_ constraint: TypeRef) -> TypeRef {
    TypeRef("any " + constraint.text, isLoose: true)
  }

  /// The spelling of a user's own type, from a schema file.
  package static func carried(_ text: String) -> TypeRef {
    TypeRef(text, isLoose: text.contains(" "))
  }
}
