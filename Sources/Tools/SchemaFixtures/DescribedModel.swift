package import Trellis

/// A model as a tool knows it, which has the schema and not the program: what `schemaMetadata` would
/// say of a class.
package struct DescribedModel {
  package var name: String
  package var originalName: String?
  package var superentity: String?
  /// Those the model declares, in their order.
  package var properties: [any SchemaProperty]
  /// `#Unique`, without what attributes say of themselves.
  package var uniques: [(properties: [String], policy: Schema.ConflictPolicy)] = []
  package var indexes: [(properties: [String], isRTree: Bool)] = []

  package init(
    _ name: String, originalName: String? = nil, superentity: String? = nil,
    properties: [any SchemaProperty] = []
  ) {
    self.name = name
    self.originalName = originalName
    self.superentity = superentity
    self.properties = properties
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
