/// Everything a store knows about its tables: how models lie in them, what SQL they need.
struct StoreCatalogue: Sendable {
  let layout: StoreLayout
  let tables: [TableDefinition]
  /// By entity, inherited ones included.
  let constraints: [String: [UniqueConstraint]]
  /// By entity: what it was called before, where that differs.
  let renamings: Renamings

  /// By table and column: what rows that are there already get in a new required column.
  let presets: [String: [String: any ColumnValue]]
  /// Columns (`Trip.address_zip`) of optional structs, whose rows get the preset although NULL is
  /// possible.
  let memberColumns: Set<String>

  /// The columns whose values may be in files.
  var externalColumns: [ExternalFiles.Column] {
    var columns: [ExternalFiles.Column] = []
    for entity in layout.entities {
      for column in entity.columns where column.property.isExternal {
        let place = ExternalFiles.Column(table: entity.table, name: column.name)
        if !columns.contains(place) { columns.append(place) }
      }
    }
    return columns
  }

  /// What the schema says was renamed since its previous version.
  struct Renamings: Sendable {
    /// New table name to old one.
    var tables: [String: String] = [:]
    /// By new table name: new column name to old one.
    var columns: [String: [String: String]] = [:]
  }

  /// The name of the table with what the store knows about itself.
  static let metadataTable = "trellis_metadata"
}
