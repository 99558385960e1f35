/// What has happened to the models of one class, in a commit or in a context's pending changes.
///
/// Sets of properties, not of rows: enough to tell whether a query may have another answer now.
struct ClassChange: Sendable {
  let definition: ModelDefinition
  /// Whether models were inserted or deleted.
  var comesOrGoes = false
  /// The column and to-many slots in which models have changed.
  var columns = PropertySet()
  var lists = PropertySet()
  /// Whether a property that no store keeps has changed.
  var isEphemeral = false
  /// Whether any property may have changed.
  var isUnknown = false

  init(_ definition: ModelDefinition) { self.definition = definition }

  /// The change of one property; nil for one the schema does not know.
  init(_ definition: ModelDefinition, _ property: ModelProperty?) {
    self.definition = definition
    guard let property else { return }
    if property.kind.isToMany {
      lists.insert(property.slot)
    } else if property.slot >= 0 {
      columns.insert(property.slot)
    } else {
      isEphemeral = true
    }
  }

  mutating func formUnion(_ other: ClassChange) {
    comesOrGoes = comesOrGoes || other.comesOrGoes
    columns.formUnion(other.columns)
    lists.formUnion(other.lists)
    isEphemeral = isEphemeral || other.isEphemeral
    isUnknown = isUnknown || other.isUnknown
  }
}

/// What has happened to the models of several classes.
struct ClassChanges: Sendable {
  private(set) var byClass: [ObjectIdentifier: ClassChange] = [:]

  subscript(definition: ModelDefinition) -> ClassChange? {
    byClass[ObjectIdentifier(definition)]
  }

  mutating func add(_ change: ClassChange) {
    byClass[ObjectIdentifier(change.definition), default: ClassChange(change.definition)]
      .formUnion(change)
  }

  mutating func addComingOrGoing(_ definition: ModelDefinition) {
    byClass[ObjectIdentifier(definition), default: ClassChange(definition)].comesOrGoes = true
  }

  mutating func formUnion(_ other: ClassChanges) {
    for change in other.byClass.values { add(change) }
  }
}
