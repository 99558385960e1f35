extension Schema {
  /// Looks for every transformer the schema names.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` with the name nobody has registered.
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
