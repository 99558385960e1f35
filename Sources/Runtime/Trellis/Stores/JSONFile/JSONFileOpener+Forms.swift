import Foundation

/// Files whose values are coded in another form than those of the program: read by names alone, what is
/// optional would be nil, and be gone with the next save.
extension JSONFileOpener {
  /// The version a file was written with: its number, or the last one of the plan that codes values as the
  /// file does. Nil where it is that of the program, or cannot be told.
  func storedVersion(
    _ contents: Data, _ plan: any SchemaMigrationPlan.Type
  ) -> Schema.Version? {
    // What cannot be read is for the reader to say.
    guard let header = try? JSONContents.header(contents) else { return nil }
    if let version = header.version { return version }
    guard header.codedForms != schema.codedForms else { return nil }
    return plan.schemas.last { Schema(versionedSchema: $0).codedForms == header.codedForms }?.versionIdentifier
  }

  /// - Throws: ``SwiftDataError/backwardMigration`` for a file of a newer version,
  ///   ``SwiftDataError/unknownDataStoreSchema`` for one whose values are coded in another way.
  func checkForms(_ header: JSONContents.Header, _ contents: Data) throws {
    let own = plan.flatMap { StoreOpener.version(of: schema, in: $0)?.versionIdentifier }
      ?? (schema.isVersionKnown ? schema.storedVersion : nil)
    if let own, let stored = header.version, stored > own {
      throw file.failure(
        .newerSchema, "the file has version \(stored) of the schema, the program \(own): update the program")
    }
    // From before forms were noted, and so of the version of its number.
    if header.codedForms.isEmpty, own != nil {
      if header.version == own || (header.version == nil && isOnlyForm) { return }
    }
    let obstacles = obstacles(header.codedForms, contents)
    guard !obstacles.isEmpty else { return }
    throw file.failure(
      .differentSchema,
      "the values of the file are not coded as those of the program, and a migration is needed; nothing was "
        + "touched:\n" + obstacles.map { "  - \($0)" }.joined(separator: "\n"))
  }

  /// Whether values were never coded in another way.
  private var isOnlyForm: Bool {
    let forms = schema.codedForms
    return plan?.schemas.allSatisfy { Schema(versionedSchema: $0).codedForms == forms } ?? false
  }

  private func obstacles(_ stored: [String: String], _ contents: Data) -> [String] {
    var obstacles: [String] = []
    for entity in schema.entities {
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        let title = "\(entity.name).\(attribute.name)"
        let names = [title, "\(entity.originalName).\(attribute.originalName)"]
        let form = names.lazy.compactMap { stored[$0] }.first
        let changes = CodedForm.changes(from: form, to: attribute.codedForm, inFiles: true)
        guard !changes.isEmpty else { continue }
        // A property that is new has no values yet.
        let isThere = form != nil || [attribute.name, attribute.originalName].contains { name in
          contents.firstRange(of: Data("\"\(name)\"".utf8)) != nil
        }
        if isThere { obstacles.append(ValueDifference.text(of: title, changes)) }
      }
    }
    return obstacles
  }
}
