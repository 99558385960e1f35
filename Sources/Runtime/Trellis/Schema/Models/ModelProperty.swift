/// One stored property of a model.
package struct ModelProperty: @unchecked Sendable {  // key paths and schema objects are never written after this
  package enum Kind {
    case attribute(any Any.Type)
    case toOne(any PersistentModel.Type, isOptional: Bool)
    case toMany(any PersistentModel.Type, isOptional: Bool)

    /// Reads the kind off the type of the Swift property.
    package init(valueType: any Any.Type) {
      if let model = valueType as? any PersistentModel.Type {
        self = .toOne(model, isOptional: false)
      } else if let list = valueType as? any ModelArray.Type {
        self = .toMany(list.elementType, isOptional: false)
      } else if let wrapped = (valueType as? any OptionalValue.Type)?.wrappedType,
        let model = wrapped as? any PersistentModel.Type
      {
        self = .toOne(model, isOptional: true)
      } else if let wrapped = (valueType as? any OptionalValue.Type)?.wrappedType,
        let list = wrapped as? any ModelArray.Type
      {
        self = .toMany(list.elementType, isOptional: true)
      } else {
        self = .attribute(valueType)
      }
    }

    /// Reads the kind off the key path of the property at the other end, which begins at the related
    /// model; nil where that does not tell.
    ///
    /// Types are compared instead of asked for their conformances: the first such question about a
    /// type goes through every conformance of the program.
    package init?(valueType: any Any.Type, inverse: AnyKeyPath?) {
      guard let inverse,
        let model = Swift.type(of: inverse).rootType as? any PersistentModel.Type
      else { return nil }
      func kind<M: PersistentModel>(_: M.Type) -> Self? {
        if valueType == M?.self { return .toOne(model, isOptional: true) }
        if valueType == [M].self { return .toMany(model, isOptional: false) }
        if valueType == M.self { return .toOne(model, isOptional: false) }
        if valueType == [M]?.self { return .toMany(model, isOptional: true) }
        return nil
      }
      guard let kind = kind(model) else { return nil }
      self = kind
    }

    package var isToMany: Bool { if case .toMany = self { true } else { false } }
    package var isRelationship: Bool { if case .attribute = self { false } else { true } }

    /// The model at the other end of a relationship.
    package var destination: (any PersistentModel.Type)? {
      switch self {
      case .attribute: nil
      case .toOne(let type, _), .toMany(let type, _): type
      }
    }
  }

  package let name: String
  package let keyPath: AnyKeyPath
  /// The key path as accessors and observers spell it: of the class that declares the property.
  let accessedKeyPath: AnyKeyPath
  /// The key path from an optional of the model, if generated code provides it: for models that references lead to.
  let chainedKeyPath: AnyKeyPath?
  package let kind: Kind
  /// Column slot, list slot for a to-many relationship, -1 for an attribute that is never stored.
  package let slot: Int
  package let attribute: Schema.Attribute?
  package let relationship: Schema.Relationship?

  package var isOptional: Bool {
    switch kind {
    case .attribute(let type): type is any OptionalValue.Type
    case .toOne(_, let isOptional), .toMany(_, let isOptional): isOptional
    }
  }
}

/// An array of models.
protocol ModelArray {
  static var elementType: any PersistentModel.Type { get }
}

extension Array: ModelArray where Element: PersistentModel {
  static var elementType: any PersistentModel.Type { Element.self }
}

extension ModelProperty {
  /// The properties of a flattened struct; empty for anything else.
  package var flattenedMembers: [FlattenedMember] {
    guard let options = attribute?.options, !options.isEmpty, options.contains(.flattened),
      case .attribute(let type) = kind
    else { return [] }
    if let members = attribute?.describedMembers { return members }
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return (wrapped as? any FlattenedValue.Type)?._$members ?? []
  }

  /// The key path from the model to a property of its flattened struct.
  package func keyPath(to member: FlattenedMember) -> AnyKeyPath? {
    keyPath.appending(path: isOptional ? member.optionalKeyPath : member.keyPath)
  }

  /// Whether the property is an attribute, and not one that may have a file.
  var isOneValue: Bool {
    !kind.isRelationship && attribute?.options.contains(.externalStorage) != true
  }
}

extension ModelProperty {
  /// Its key path from the class whose layout has the property.
  package func path<Model: PersistentModel>(of _: Model.Type) -> (any PartialKeyPath<Model> & Sendable)? {
    guard let path = keyPath as? PartialKeyPath<Model> else { return nil }
    // Being sendable has no part at run time, so nothing can ask for it; key paths of stored properties
    // capture nothing.
    return unsafeBitCast(path, to: (any PartialKeyPath<Model> & Sendable).self)
  }
}
