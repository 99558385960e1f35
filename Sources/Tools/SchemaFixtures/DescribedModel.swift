package import Trellis

/// A model as a tool knows it, which has the schema and not the program: what `schemaMetadata` would
/// say of a class.
package struct DescribedModel: Sendable {
  package var name: String
  package var originalName: String?
  package var superentity: String?
  /// Those the model declares, in their order.
  package var properties: [DescribedProperty]
  /// `#Unique`, without what attributes say of themselves.
  package var uniques: [(properties: [String], policy: Schema.ConflictPolicy)] = []
  package var indexes: [(properties: [String], isRTree: Bool)] = []

  package init(
    _ name: String, originalName: String? = nil, superentity: String? = nil,
    properties: [DescribedProperty] = []
  ) {
    self.name = name
    self.originalName = originalName
    self.superentity = superentity
    self.properties = properties
  }
}

/// A property of a model no class has.
package struct DescribedProperty: Sendable {
  package enum Kind: Sendable {
    case attribute(DescribedType, [Schema.Attribute.Option])
    case relationship(DescribedRelationship)
  }

  package var name: String
  package var originalName: String?
  package var hashModifier: String?
  /// See ``CodedForm``.
  package var codedForm: String?
  /// See ``JSONFields``.
  package var jsonFields: String?
  /// What rows get that are there before the attribute; nil if only the program knows it.
  package var defaultValue: (any ColumnValue)?
  package var kind: Kind

  package init(
    _ name: String, originalName: String? = nil, hashModifier: String? = nil, codedForm: String? = nil,
    jsonFields: String? = nil, defaultValue: (any ColumnValue)? = nil, kind: Kind
  ) {
    self.name = name
    self.originalName = originalName
    self.hashModifier = hashModifier
    self.codedForm = codedForm
    self.jsonFields = jsonFields
    self.defaultValue = defaultValue
    self.kind = kind
  }
}

package struct DescribedRelationship: Sendable {
  package var destination: String
  package var isToMany: Bool
  package var isOptional: Bool
  /// The type of the property, qualified.
  package var typeName: String
  package var options: [Schema.Relationship.Option] = []
  package var deleteRule: Schema.Relationship.DeleteRule = .nullify
  package var inverse: String?
  package var minimumCount = 0
  package var maximumCount = 0

  package init(to destination: String, isToMany: Bool, isOptional: Bool, typeName: String) {
    self.destination = destination
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.typeName = typeName
  }
}

/// The type of an attribute, which this program may not have.
package struct DescribedType: Sendable {
  /// As Swift spells it: `Swift.Optional<Trips.TripKind>`.
  package var name: String
  /// A type of this program that is kept as that one is; optional where that one is.
  package var standIn: any ColumnValue.Type
  /// The properties of a struct the schema declares.
  package var parts: [(name: String, type: DescribedType)]
  /// Those of them that have a column where the struct is flattened.
  package var columns: [String]
  /// The name of the standard type of its raw values, if the type is stored as raw values.
  package var rawType: String?
  /// True for a type of which the schema says nothing but the name.
  package var isOpaque: Bool

  package init(
    _ name: String, standIn: any ColumnValue.Type, rawType: String? = nil, isOpaque: Bool = false,
    parts: [(name: String, type: DescribedType)] = [], columns: [String] = []
  ) {
    self.rawType = rawType
    self.isOpaque = isOpaque
    self.name = name
    self.standIn = standIn
    self.parts = parts
    self.columns = columns
  }
}
