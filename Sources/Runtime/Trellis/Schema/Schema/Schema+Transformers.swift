extension Schema {
  /// Finds every transformer that the schema names.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` with the name that is not registered.
  func checkTransformers() throws {
    for entity in entities where entity.definition?.isDescribed != true {
      for property in entity.storedProperties {
        guard let attribute = property.asAttribute, !attribute.options.isEmpty else { continue }
        for option in attribute.options where option.keyword == "transformable" {
          guard let name = option.argument else { continue }
          do {
            _ = try TransformerTable.transformer(named: name)
          } catch let error as SwiftDataError {
            throw error.explained("'\(entity.name).\(attribute.name)': \(error)")
          }
        }
      }
    }
  }
}
