/// The schema that a file of another form than a database states: its version, and the coded forms of its values.
///
/// Values that are coded in another form than those of the program would read as nil where they are optional, and be lost
/// with the next save.
package struct FileSchema {
  /// Nil in a file that was never opened with a plan.
  package let version: Schema.Version?
  /// By `Model.property`.
  let codedForms: [String: String]

  package init(version: Schema.Version?, codedForms: [String: String]) {
    self.version = version
    self.codedForms = codedForms
  }

  /// The version that the file was written with: its number, or the last version of the plan that codes values as the
  /// file does. Nil for the version of the program, or one that cannot be told.
  package func version(for schema: Schema, _ plan: any SchemaMigrationPlan.Type) -> Schema.Version? {
    if let version { return version }
    guard codedForms != schema.codedForms else { return nil }
    return plan.schemas.last { Schema(versionedSchema: $0).codedForms == codedForms }?.versionIdentifier
  }

  /// Why a program with a schema cannot read the file; nil if it can.
  ///
  /// - Parameter mentions: true if the file has values of a property with this name.
  package func problem(
    for schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?, mentions: (String) -> Bool
  ) -> (problem: StoreProblem, explanation: String)? {
    let own =
      plan.flatMap { StoreSpecification.version(of: schema, in: $0)?.versionIdentifier }
      ?? (schema.isVersionKnown ? schema.storedVersion : nil)
    if let own, let version, version > own {
      return (
        .newerSchema, "the file has version \(version) of the schema, the program \(own): update the program"
      )
    }
    let obstacles = obstacles(schema, mentions)
    guard !obstacles.isEmpty else { return nil }
    return (
      .differentSchema,
      "the values of the file are not coded as those of the program, and a migration is needed; nothing was "
        + "touched:\n" + obstacles.map { "  - \($0)" }.joined(separator: "\n")
    )
  }

  private func obstacles(_ schema: Schema, _ mentions: (String) -> Bool) -> [String] {
    var obstacles: [String] = []
    for entity in schema.entities {
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        let title = "\(entity.name).\(attribute.name)"
        let form = codedForms[title] ?? codedForms["\(entity.originalName).\(attribute.originalName)"]
        let changes = CodedForm.changes(from: form, to: attribute.codedForm, inFiles: true)
        // A new property has no values yet.
        guard !changes.isEmpty, form != nil || mentions(attribute.name) || mentions(attribute.originalName)
        else { continue }
        obstacles.append(ValueDifference.text(of: title, changes))
      }
    }
    return obstacles
  }
}
