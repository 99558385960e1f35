/// A store that can describe its tables, for tests of migrations.
package protocol ShapedStore: DataStore {
  /// The tables, columns, indexes and references, and what the store records of its schema, as sorted texts. They are
  /// equal for two stores that are made for one version, whatever their rows are.
  func shape() throws -> [String]
  /// False if no text of a model can contain U+0000.
  var keepsNullCharacters: Bool { get }
}
