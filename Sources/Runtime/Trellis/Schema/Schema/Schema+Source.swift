extension Schema {
  /// The versions of schemas the models were generated from, by name.
  private var generatedVersions: [any VersionedSchema.Type] {
    var seen: Set<ObjectIdentifier> = []
    return entities.compactMap { $0.definition?.version }
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The texts of those versions, for people and for tools that look into a store.
  package var sources: [SchemaSource] {
    let all = describedSource.map { [$0] } ?? generatedVersions.map { $0._$source }
    return all.filter { !$0.text.isEmpty }.sorted { $0.name < $1.name }
  }

  /// The number a store is marked with: the one that was given, or else that of the version all models
  /// were generated from.
  package var storedVersion: Version {
    guard version == Version(1, 0, 0) else { return version }
    let versions = generatedVersions
    return versions.count == 1 ? versions[0].versionIdentifier : version
  }

  /// True if the generated code was compiled with a released version beside the schema.
  package var hasReleases: Bool { sources.contains(where: \.hasReleases) }

  /// True if the program or the generated code states the number.
  package var isVersionKnown: Bool { version != Version(1, 0, 0) || generatedVersions.count == 1 }
}
