package import SchemaModel

/// Compares two versions of a schema.
package enum SchemaDiff {
  /// Everything that stores or callers can tell apart, in the order of the newer schema; what is
  /// gone follows its siblings in the order of the older one.
  ///
  /// Empty exactly when the fingerprints are equal.
  package static func changes(
    from old: ResolvedSchema, to new: ResolvedSchema
  ) -> [SchemaChange] {
    let names = NameHistory(from: old, to: new)
    return WholeSchemaChange.changes(from: old, to: new).map { .schema($0) }
      + EntityDiff.changes(names)
      + EnumChange.changes(from: old.enums, to: new.enums).map { .enumeration($0) }
      + StructChange.changes(from: old.structs, to: new.structs).map { .structure($0) }
  }
}
