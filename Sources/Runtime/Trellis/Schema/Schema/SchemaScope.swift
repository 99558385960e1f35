/// The schema of the container whose call is running.
///
/// A decoded snapshot finds its model's codec here. Bound around every call into a store; there is
/// no table for the whole process, so two containers may use one entity name for different models.
enum SchemaScope {
  @TaskLocal static var current: Schema?

  /// The model of an entity, for decoding one of its snapshots.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` when there is no schema to look in or it has no
  ///   such entity.
  static func definition(
    named name: String, userInfo: [CodingUserInfoKey: Any]
  ) throws -> ModelDefinition {
    guard let schema = userInfo[.schema] as? Schema ?? current else {
      throw SwiftDataError.unknownSchema.explained(
        "a snapshot of '\(name)' is decoded outside of a store's call, where no schema says what "
          + "'\(name)' is: set decoder.userInfo[.schema] to one")
    }
    guard let definition = schema.definition(named: name) else {
      throw SwiftDataError.unknownSchema.explained(
        "the schema has no model '\(name)': add it to the container's models")
    }
    return definition
  }
}

extension CodingUserInfoKey {
  /// The ``Schema`` in which a decoder finds the models of ``DefaultSnapshot``s.
  ///
  /// Needed outside of a store's call only. Not in SwiftData.
  ///
  ///     decoder.userInfo[.schema] = container.schema
  // Every text is the raw value of a key.
  public static let schema = CodingUserInfoKey(rawValue: "trellis.schema").unsafelyUnwrapped
}
