/// The versions of a schema, oldest first, and how to get from each to the next.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// Oldest first; the last one is the current version.
  static var schemas: [any VersionedSchema.Type] { get }
  /// One stage per step that is not inferred, in order.
  static var stages: [MigrationStage] { get }
  /// Where the values of lightweight stages come from that do not follow by themselves; none unless
  /// implemented. Not in SwiftData.
  static var steps: [MigrationSteps] { get }
}

extension SchemaMigrationPlan {
  /// No steps.
  public static var steps: [MigrationSteps] { [] }
}

extension SchemaMigrationPlan {
  /// The last version that has the models of a schema.
  package static func version(of schema: Schema) -> (any VersionedSchema.Type)? {
    schemas.last { version in
      var isFound = false
      for model in version.models {
        guard let entity = schema.entitiesByName[model._$definition.entityName] else { continue }
        guard entity.definition === model._$definition else { return false }
        isFound = true
      }
      return isFound
    }
  }
}
