package import SchemaDiagnostics

/// An `enum` declared in a schema file. It is emitted as written, under `#sourceLocation`.
package struct ResolvedEnum: Sendable {
  package struct Case: Sendable, Equatable {
    package var name: String
    /// The stored raw value, either written or implicit.
    package var rawValue: RawValue?
    /// Associated values in order, with labels.
    package var payload: [PayloadField]

    package init(name: String, rawValue: RawValue? = nil, payload: [PayloadField] = []) {
      self.name = name
      self.rawValue = rawValue
      self.payload = payload
    }
  }

  package enum RawValue: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    /// A floating-point or other literal, as written.
    case other(String)
  }

  package struct PayloadField: Sendable, Equatable {
    package var label: String?
    package var type: ValueType

    package init(label: String? = nil, type: ValueType) {
      self.label = label
      self.type = type
    }
  }

  package var name: String
  /// `String`, `Int`, …, or `nil` for an enum that has no raw values.
  package var rawType: ScalarType?
  package var conformances: [String]
  package var cases: [Case]
  /// The custom JSON form, or `nil` for Swift's synthesized coding.
  package var coding: ResolvedCoding?
  /// The entire declaration as written, from the modifiers to the closing brace.
  package var declaration: SwiftText
  package var access: AccessLevel?
  package var documentation: [String]
  package var file: Int
  package var range: SourceRange
  /// The location of an enum in a Swift file, which is not generated. `nil` for an enum in a schema file.
  package var swift: SwiftHome?

  /// The location of a type declared in a Swift file.
  package struct SwiftHome: Sendable, Equatable {
    /// The types that enclose the first part of the name.
    package var home: [String]
    /// The lowest access level of the enclosing types, if it is `internal` or `package`.
    package var access: String?
  }

  package init(
    name: String, rawType: ScalarType? = nil, conformances: [String] = [], cases: [Case],
    declaration: SwiftText, access: AccessLevel? = nil, documentation: [String] = [], file: Int,
    range: SourceRange
  ) {
    self.name = name
    self.rawType = rawType
    self.conformances = conformances
    self.cases = cases
    self.declaration = declaration
    self.access = access
    self.documentation = documentation
    self.file = file
    self.range = range
  }
}

/// A Codable `struct` declared in a schema file.
package struct ResolvedStruct: Sendable {
  package struct Field: Sendable {
    package var name: String
    package var type: ValueType
    package var defaultValue: SwiftText?
    package var isLet: Bool

    package init(
      name: String, type: ValueType, defaultValue: SwiftText? = nil, isLet: Bool = false
    ) {
      self.name = name
      self.type = type
      self.defaultValue = defaultValue
      self.isLet = isLet
    }
  }

  package var name: String
  package var conformances: [String]
  package var fields: [Field]
  /// True if Swift synthesizes an initializer that takes every property.
  package var isMemberwise = true
  /// The custom JSON form, or `nil` for Swift's synthesized coding.
  package var coding: ResolvedCoding?
  /// The entire declaration as written.
  package var declaration: SwiftText
  package var access: AccessLevel?
  package var documentation: [String]
  package var file: Int
  package var range: SourceRange

  package init(
    name: String, conformances: [String] = [], fields: [Field], declaration: SwiftText,
    access: AccessLevel? = nil, documentation: [String] = [], file: Int, range: SourceRange
  ) {
    self.name = name
    self.conformances = conformances
    self.fields = fields
    self.declaration = declaration
    self.access = access
    self.documentation = documentation
    self.file = file
    self.range = range
  }
}

extension ResolvedEnum {
  /// The name excluding the enclosing model's name.
  package var ownName: String { name.parts(separatedBy: ".").last ?? name }
}

extension ResolvedStruct {
  /// The name excluding the enclosing model's name.
  package var ownName: String { name.parts(separatedBy: ".").last ?? name }
}

extension ResolvedStruct {
  /// Properties whose value is not fixed by the declaration. These are decoded, are parameters of the memberwise
  /// initializer, and have columns if the struct is flattened.
  package var parameters: [Field] { fields.filter { !$0.isLet || $0.defaultValue == nil } }
}
