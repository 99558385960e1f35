package import SchemaModel

/// Compares two schema versions.
package enum SchemaDiff {
  /// Returns all changes that stores or callers can detect, in the newer schema's order. Removed declarations follow
  /// their siblings in the older schema's order.
  ///
  /// All changes are ``SchemaChange/isOfOrder`` if and only if the fingerprints are equal.
  ///
  /// - Parameter earlier: The versions that may have written rows, including `old`; `nil` if unknown.
  package static func changes(
    from old: ResolvedSchema, to new: ResolvedSchema, earlier: [ResolvedSchema]? = nil
  ) -> [SchemaChange] {
    changes(NameHistory(from: old, to: new), earlier)
  }

  /// Returns the changes from the first version to the last. A declaration that was renamed on the way remains a
  /// single declaration; a declaration that was removed and added again is two.
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
