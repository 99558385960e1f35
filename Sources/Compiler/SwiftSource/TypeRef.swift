/// A type name in generated code, qualified with the module if the bare name would be ambiguous.
package struct TypeRef: Equatable, Sendable {
  /// The type as Swift text, computed once because most types are named many times.
  package let text: String
  package let isOptional: Bool
  /// True if a trailing question mark would apply only to the last word.
  private let isLoose: Bool

  private init(spelled text: String, isOptional: Bool = false, isLoose: Bool = false) {
    self.text = text
    self.isOptional = isOptional
    self.isLoose = isLoose
  }

  /// Creates `module::name`, or the bare name if there is no module.
  package init(_ name: String, in module: String? = nil, _ arguments: [TypeRef] = []) {
    let prefix = module.map { $0 + "::" } ?? ""
    let suffix =
      arguments.isEmpty ? "" : "<" + arguments.map(\.text).joined(separator: ", ") + ">"
    self.init(spelled: prefix + SwiftKeyword.escaped(name) + suffix)
  }

  /// Returns a nested type.
  package func member(_ name: String) -> TypeRef {
    TypeRef(spelled: text + "." + SwiftKeyword.escaped(name))
  }

  package static func optional(_ wrapped: TypeRef) -> TypeRef {
    TypeRef(spelled: wrapped.isLoose ? "(" + wrapped.text + ")?" : wrapped.text + "?", isOptional: true)
  }

  package static func array(_ element: TypeRef) -> TypeRef { TypeRef(spelled: "[" + element.text + "]") }

  package static func dictionary(key: TypeRef, value: TypeRef) -> TypeRef {
    TypeRef(spelled: "[" + key.text + ": " + value.text + "]")
  }

  package static func any(_ constraint: TypeRef) -> TypeRef {
    TypeRef(spelled: "any " + constraint.text, isLoose: true)
  }

  /// Creates a reference to a user's own type, as spelled in a schema file.
  package static func carried(_ text: String) -> TypeRef {
    TypeRef(spelled: text, isLoose: text.contains(" "))
  }
}
