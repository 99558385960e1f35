/// A declaration in a file or type body.
package enum Declaration: Sendable {
  case type(TypeDeclaration)
  case property(Property)
  case function(Function)
  case alias(TypeAlias)
  case carried(CarriedText)
  /// A declaration that the compiler attributes to a line in a different file. The location is ignored if the path is
  /// empty.
  indirect case located(path: String, line: Int, Declaration)
}

/// Access levels, from the most restricted to the most visible.
package enum Access: String, Sendable, CaseIterable, Comparable {
  case `private`, `fileprivate`, `internal`, `package`, `public`, open

  private var rank: Int {
    switch self {
    case .private: 0
    case .fileprivate: 1
    case .internal: 2
    case .package: 3
    case .public: 4
    case .open: 5
    }
  }

  package static func < (lhs: Access, rhs: Access) -> Bool { lhs.rank < rhs.rank }
}

package enum Modifier: String, Sendable {
  case nonisolated, final, `static`, `class`, override, required, mutating
}

/// The part of a declaration before the keyword.
package struct Heading: Sendable {
  package var documentation: [String]
  /// Attributes such as `@available(…)`, in order.
  package var attributes: [Code]
  package var access: Access?
  /// The setter's access level, if it differs.
  package var setterAccess: Access?
  package var modifiers: [Modifier]

  package init(
    _ access: Access? = nil, setter: Access? = nil, _ modifiers: [Modifier] = [],
    documentation: [String] = [], attributes: [Code] = []
  ) {
    self.access = access
    self.setterAccess = setter
    self.modifiers = modifiers
    self.documentation = documentation
    self.attributes = attributes
  }
}

/// A class, struct, enum, extension or protocol.
///
/// A class, like the related types, because declarations are created in hundreds of places and never change.
package final class TypeDeclaration: Sendable {
  package enum Kind: String, Sendable { case `class`, `struct`, `enum`, `extension`, `protocol` }

  package let kind: Kind
  package let heading: Heading
  package let name: Code
  package let inheritance: [Code]
  package let members: [Declaration]

  package init(
    _ kind: Kind, _ name: Code, _ heading: Heading = Heading(), inherits inheritance: [Code] = [],
    @DeclarationBuilder members: () -> [Declaration] = { [] }
  ) {
    self.kind = kind
    self.name = name
    self.heading = heading
    self.inheritance = inheritance
    self.members = members()
  }
}

/// A variable, either stored or with accessors.
package final class Property: Sendable {
  package enum Accessor: Sendable {
    case get([Code])
    /// A getter that may throw. It has no setter.
    case throwingGet([Code])
    case set([Code])
    /// A setter that is never inlined, to keep the code that the compiler derives from it small.
    case calledSet([Code])
    /// An accessor whose body yields the value, so that it is changed in place.
    case modify([Code])
    /// An init accessor and its `@storageRestrictions`.
    case initialize(restrictions: Code, [Code])
  }

  package let heading: Heading
  package let isLet: Bool
  package let name: Code
  package let type: Code?
  package let value: Code?
  package let accessors: [Accessor]

  package init(
    _ heading: Heading = Heading(), isLet: Bool = false, _ name: Code, type: Code? = nil,
    value: Code? = nil, accessors: [Accessor] = []
  ) {
    self.heading = heading
    self.isLet = isLet
    self.name = name
    self.type = type
    self.value = value
    self.accessors = accessors
  }
}

/// A function, initializer, deinitializer or subscript.
package final class Function: Sendable {
  package let heading: Heading
  /// The text before the parameters: `func write<W>`, `init`.
  package let name: Code
  /// `nil` for a deinitializer.
  package let parameters: [Code]?
  /// The text after the parameters: effects and result type.
  package let suffix: Code
  package let body: [Code]
  /// True for a protocol requirement, which has no body.
  package let isRequirement: Bool
  /// Subscript accessors, in place of a body.
  package let accessors: [Property.Accessor]

  package init(
    _ heading: Heading = Heading(), _ name: Code, _ parameters: [Code]? = [], suffix: Code = "",
    isRequirement: Bool = false, accessors: [Property.Accessor] = [], body: [Code] = []
  ) {
    self.heading = heading
    self.name = name
    self.parameters = parameters
    self.suffix = suffix
    self.isRequirement = isRequirement
    self.accessors = accessors
    self.body = body
  }
}

package final class TypeAlias: Sendable {
  package let heading: Heading
  package let name: Code
  package let type: Code

  package init(_ heading: Heading = Heading(), _ name: Code, _ type: Code) {
    self.heading = heading
    self.name = name
    self.type = type
  }
}

/// User text copied unchanged into the output, with the location that the compiler should report.
package struct CarriedText: Sendable {
  package var text: String
  /// The path of the original file, or empty if the compiler should report the actual location.
  package var path: String
  package var line: Int
  package var documentation: [String] = []
  /// Declarations added before the closing brace of a carried type.
  package var members: [Declaration] = []

  package init(_ text: String, path: String, line: Int) {
    self.text = text
    self.path = path
    self.line = line
  }
}

/// Allows members to be listed as statements.
@resultBuilder package enum DeclarationBuilder {
  package static func buildExpression(_ type: TypeDeclaration) -> [Declaration] { [.type(type)] }
  package static func buildExpression(_ property: Property) -> [Declaration] {
    [.property(property)]
  }
  package static func buildExpression(_ function: Function) -> [Declaration] {
    [.function(function)]
  }
  package static func buildExpression(_ alias: TypeAlias) -> [Declaration] { [.alias(alias)] }
  package static func buildExpression(_ text: CarriedText) -> [Declaration] { [.carried(text)] }
  package static func buildExpression(_ declaration: Declaration) -> [Declaration] { [declaration] }
  package static func buildExpression(_ list: [Declaration]) -> [Declaration] { list }
  package static func buildBlock(_ parts: [Declaration]...) -> [Declaration] {
    parts.flatMap { $0 }
  }
  package static func buildOptional(_ part: [Declaration]?) -> [Declaration] { part ?? [] }
  package static func buildEither(first: [Declaration]) -> [Declaration] { first }
  package static func buildEither(second: [Declaration]) -> [Declaration] { second }
  package static func buildArray(_ parts: [[Declaration]]) -> [Declaration] {
    parts.flatMap { $0 }
  }
}
