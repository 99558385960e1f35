/// What the columns of a statement mean for rows of one entity.
@usableFromInline final class RowShape: Sendable {
  let entity: EntityLayout
  /// The model class of the rows.
  let definition: ModelDefinition
  /// Makes identifiers of the rows themselves.
  let token: IdentifierToken
  /// Makes identifiers of the rows that to-one references point to, by slot.
  @usableFromInline let destinations: [IdentifierToken]
  /// The column of slot 0, when the others follow it in order; -1 otherwise.
  @usableFromInline let firstColumn: Int32
  /// By slot, when `firstColumn` is -1.
  @usableFromInline let columns: [Int32]
  /// By slot of a flattened struct: the columns of its properties.
  let members: [Int: [Int32]]
  /// Where large data is; nil in memory.
  let files: ExternalFiles?
  /// Which entities there are; nil where nothing is written.
  private let layout: StoreLayout?

  init(
    entity: EntityLayout, token: IdentifierToken, destinations: [IdentifierToken],
    columns: [Int32], members: [Int: [Int32]] = [:], files: ExternalFiles? = nil,
    layout: StoreLayout? = nil
  ) {
    self.layout = layout
    self.members = members
    self.files = files
    self.entity = entity
    self.definition = entity.definition
    self.token = token
    self.destinations = destinations
    let first = columns.first ?? 0
    let isPlain = columns.enumerated().allSatisfy { $1 == first + Int32($0) }
    self.firstColumn = isPlain ? first : -1
    self.columns = columns
  }

  /// The stored property whose value is in a column of the statement.
  func property(inColumn column: Int32) -> ModelProperty? {
    let slot = columns.firstIndex(of: column) ?? members.first { $1.contains(column) }?.key
    return slot.map { entity.columns[$0].property }
  }

  /// The row a reference is stored as.
  func row(of reference: PersistentIdentifier, slot: Int, keys: KeyTable) throws -> Int64 {
    if case .integer(let number) = reference.key {
      if reference.token == destinations[slot] { return number }
      if reference.isTemporary {
        if let row = keys[number] { return row }
      } else if isForeignSpelling(reference.token.entry, of: destinations[slot].entry) {
        return number
      }
    }
    let property = entity.columns[slot].property.name
    throw SwiftDataError.modelValidationFailure.explained(
      "'\(entity.name).\(property)' refers to \(reference), which is neither in this store nor "
        + "inserted by this save")
  }

  /// Identifiers made by hand may name the subclass where ours name the root of its hierarchy.
  private func isForeignSpelling(
    _ entry: IdentifierToken.Entry, of own: IdentifierToken.Entry
  ) -> Bool {
    guard entry.store == own.store, let layout else { return false }
    // Or what the model was called before.
    let named = layout.entity(named: entry.entity) ?? layout.entity(formerly: entry.entity)
    return named?.rootName == own.entity
  }
}
