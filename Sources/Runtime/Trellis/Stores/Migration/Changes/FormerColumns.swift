/// The columns in which a store has the values of each property.
struct FormerColumns {
  private let catalogue: StoreCatalogue
  private let stored: Schema
  private let origins: SchemaOrigins
  /// The columns of the store by class and property.
  private let recorded: [String: String]
  /// By table and column: the former columns of the property. It has several if it has moved up from several subclasses.
  private var sources: [String: [String: [String]]] = [:]

  init(_ recorded: [String: String], _ stored: Schema, _ origins: SchemaOrigins, _ catalogue: StoreCatalogue) {
    self.recorded = recorded
    self.stored = stored
    self.origins = origins
    self.catalogue = catalogue
    for column in catalogue.namedColumns {
      sources[column.table, default: [:]][column.column] = formerKeys(of: column).compactMap { recorded[$0] }
    }
  }

  private func formerKeys(of column: NamedColumn) -> [String] {
    // The positions in an ordered list are no property of the class.
    guard let entity = catalogue.schema.entitiesByName[column.owner],
      let property = entity.storedProperties.first(where: { $0.name == column.property })
    else {
      let keys = [column.key, catalogue.formerKeys[column.key]].compactMap { $0 }
      return keys.first { recorded[$0] != nil }.map { [$0] } ?? []
    }
    return origins.sources(of: property, in: entity).map { "\($0.model).\($0.property.name)\(column.part)" }
  }

  /// The former name of each column of a table that has one, by new name.
  func names(in known: TableDefinition, as wanted: TableDefinition) -> [String: String] {
    var names = (sources[wanted.name] ?? [:]).compactMapValues { $0.first }
    // The columns for the key and for the class of a row change their names if a property gets such a name, or no longer
    // has it.
    if let key = wanted.columns.first(where: \.isRowKey) {
      names[key.name] = known.columns.first(where: \.isRowKey)?.name
    }
    let entities = catalogue.layout.entities.filter { $0.table == wanted.name }
    if let hierarchy = entities.first(where: { !$0.discriminators.isEmpty }) {
      names[hierarchy.entityColumn] = classColumn(of: known, wanted)
    }
    return names
  }

  /// An obstacle for each column that would have the values of another property, or the classes of the rows.
  ///
  /// - Parameter former: the former name of each column that has another one now.
  func obstacles(in known: TableDefinition, as wanted: TableDefinition, _ former: [String: String]) -> [String] {
    guard wanted.key.isEmpty else { return [] }
    let classColumn = classColumn(of: known, wanted)
    let keys = keys(of: wanted)
    let names = names(in: known, as: wanted)
    return wanted.columns.compactMap { column in
      let present = former[column.name] ?? column.name
      // A column that is renamed leaves its former name to a new column.
      guard known.column(named: present) != nil, former[column.name] != nil || !former.values.contains(present),
        names[column.name] != present, sources[wanted.name]?[column.name]?.contains(present) != true
      else { return nil }
      let owner = catalogue.namedColumns.first { $0.table == wanted.name && $0.column == column.name }?.key
      let title = owner ?? "\(wanted.name).\(column.name)"
      if present == classColumn {
        return "'\(title)' has the name of the column '\(present)', which contains the classes of the rows: give it "
          + "another name"
      }
      guard let key = keys.first(where: { recorded[$0] == present }) else { return nil }
      return "'\(key)' is no longer in the schema, and its values would be lost: '\(title)' has its column"
    }
  }

  /// The column with the class of a row in the table of a hierarchy.
  private func classColumn(of known: TableDefinition, _ wanted: TableDefinition) -> String? {
    let properties = Set(keys(of: wanted).compactMap { recorded[$0] })
    return known.columns.first { column in
      column.isRequired && column.name.drop { $0 == "_" } == "entity" && !properties.contains(column.name)
    }?.name
  }

  /// The recorded keys of the properties of a table, and of the positions in all ordered lists: those are in the table of the
  /// list's members.
  private func keys(of wanted: TableDefinition) -> [String] {
    let entities = catalogue.layout.entities
    let others = entities.filter { $0.table != wanted.name }.compactMap { origins.models[$0.name] }
    func root(_ entity: Schema.Entity) -> String { stored.superclasses(of: entity).last ?? entity.name }
    let roots = Set(others.compactMap { stored.entitiesByName[$0] }.map(root))
    let classes = Set(stored.entities.filter { roots.contains(root($0)) }.map(\.name))
    return recorded.keys.filter { key in
      !classes.contains(String(key.prefix { $0 != "." })) || key.hasSuffix(" position")
    }.sorted()
  }
}
