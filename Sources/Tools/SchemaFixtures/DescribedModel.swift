package import Trellis

/// A model described by a schema, for tools that have no model class. It contains the facts that a class provides as
/// `schemaMetadata`.
package struct DescribedModel {
  package var name: String
  package var originalName: String?
  package var superentity: String?
  /// The model's own properties, in declaration order.
  package var properties: [any SchemaProperty]
  /// `#Unique` constraints, excluding those that property attributes declare.
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

/// An attribute type that may be missing from this process.
package struct DescribedType: Sendable {
  /// The name as Swift spells it: `Swift.Optional<Trips.TripKind>`.
  package var name: String
  /// An existing type with the same storage and optionality.
  package var standIn: any ColumnValue.Type
  /// The properties, if the schema declares the type as a struct.
  package var parts: [(name: String, type: DescribedType)]
  /// The names of the properties that have a column if the struct is flattened.
  package var columns: [String]
  /// The raw value type's standard name, if the type is stored as raw values.
  package var rawType: String?
  /// True if the schema contains only the type's name.
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
