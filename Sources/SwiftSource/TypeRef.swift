/// A type as generated code names it: always with the module it lives in.
package indirect enum TypeRef: Hashable, Sendable {
  /// `module::name`, or the bare name without a module.
  case named(module: String?, name: String, arguments: [TypeRef])
  /// A type inside another one.
  case member(of: TypeRef, name: String)
  case optional(TypeRef)
  case array(TypeRef)
  case dictionary(key: TypeRef, value: TypeRef)
  case any(TypeRef)
  /// The spelling of a user's own type, from a schema file.
  case carried(String)

  package init(_ name: String, in module: String? = nil, _ arguments: TypeRef...) {
    self = .named(module: module, name: name, arguments: arguments)
  }

  package func member(_ name: String) -> TypeRef { .member(of: self, name: name) }

  /// The type as Swift text.
  package var text: String {
    switch self {
    case .named(let module, let name, let arguments):
      let prefix = module.map { $0 + "::" } ?? ""
      let suffix =
        arguments.isEmpty ? "" : "<" + arguments.map(\.text).joined(separator: ", ") + ">"
      return prefix + SwiftKeyword.escaped(name) + suffix
    case .member(let parent, let name): return parent.text + "." + SwiftKeyword.escaped(name)
    case .optional(let wrapped):
      if case .any = wrapped { return "(" + wrapped.text + ")?" }
      if case .carried(let text) = wrapped, text.contains(" ") { return "(" + text + ")?" }
      return wrapped.text + "?"
    case .array(let element): return "[" + element.text + "]"
    case .dictionary(let key, let value): return "[" + key.text + ": " + value.text + "]"
    case .any(let constraint): return "any " + constraint.text
    case .carried(let text): return text
    }
  }
}
