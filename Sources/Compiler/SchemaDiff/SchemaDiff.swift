package import SchemaModel

/// Compares two versions of a schema.
package enum SchemaDiff {
  /// Everything that stores or callers can tell apart, in the order of the newer schema; what is
  /// gone follows its siblings in the order of the older one.
  ///
  /// Exactly when the fingerprints are equal, all of them are ``SchemaChange/isOfOrder``.
  ///
  /// - Parameter earlier: the versions that may have written rows, `old` among them; nil if they are
  ///   unknown.
  package static func changes(
    from old: ResolvedSchema, to new: ResolvedSchema, earlier: [ResolvedSchema]? = nil
  ) -> [SchemaChange] {
    changes(NameHistory(from: old, to: new), earlier)
  }

  /// What changed from the first of some versions to the last. A declaration that was renamed on the
  /// way, once or more than once, is one declaration; one that went and came back is two.
  package static func changes(
    through versions: [ResolvedSchema], earlier: [ResolvedSchema]? = nil
  ) -> [SchemaChange] {
    guard let first = versions.first, let last = versions.last, versions.count > 2 else {
      return versions.count == 2 ? changes(from: versions[0], to: versions[1], earlier: earlier) : []
    }
    return changes(NameHistory(from: first, to: last, origins: Origins(through: versions)), earlier)
  }

  private static func changes(_ names: NameHistory, _ earlier: [ResolvedSchema]?) -> [SchemaChange] {
    let (old, new) = (names.old, names.new)
    let texts = TextForms(from: old, to: new)
    return WholeSchemaChange.changes(from: old, to: new).map { .schema($0) }
      + EntityDiff.changes(names)
      + EnumChange.changes(from: old, to: new, texts).map { .enumeration($0) }
      + StructChange.changes(from: old, to: new, texts, earlier).map { .structure($0) }
  }
}
