import Foundation

/// The attributes a descriptor asks for, where it does not want all of them.
///
/// References to one model are always read: they are a number each and everything that follows
/// relationships relies on them. So are values no placeholder can stand for: enums, structs and other
/// types of the program, unless optional.
final class FetchParts {
  private let names: Set<String>
  private var missing: [ObjectIdentifier: PropertySet] = [:]

  /// - Returns: nil when the descriptor asks for everything.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that is no property of the model.
  init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws {
    guard !descriptor.propertiesToFetch.isEmpty else { return nil }
    let layout = T._$definition.layout
    var names = Set<String>()
    for keyPath in descriptor.propertiesToFetch {
      if let property = layout.property(for: keyPath) {
        names.insert(property.name)
      } else if !ModelPaths.of(T.self).isIdentifier(keyPath) {
        throw SwiftDataError.unsupportedKeyPath.explained(
          "\(keyPath) in 'propertiesToFetch' is no stored property of "
            + "'\(T._$definition.entityName)'")
      }
    }
    self.names = names
  }

  /// The columns of a class that are not read, by slot.
  func missing(of definition: ModelDefinition) -> PropertySet {
    let key = ObjectIdentifier(definition)
    if let known = missing[key] { return known }
    var slots = PropertySet()
    for property in definition.layout.columns
    where !names.contains(property.name) && property.canBeMissing { slots.insert(property.slot) }
    missing[key] = slots
    return slots
  }
}

extension ModelProperty {
  /// Whether a placeholder can stand for the value until somebody asks for it.
  fileprivate var canBeMissing: Bool {
    guard case .attribute(let type) = kind, attribute?.isTransformable != true else { return false }
    return type is any OptionalValue.Type
      || ValueTypeName.standard[ValueTypeName(type).name] != nil && type is any ColumnValue.Type
  }
}

extension EntityPlan {
  /// The columns of a row with NULL for those that are not to be read.
  func selection(of parts: FetchParts) -> SQLFragment {
    let alias = PredicateTranslator.rootAlias
    var columns = [SQLFragment](repeating: "NULL", count: Int(selectionCount))
    columns[0] = key
    if !shapes.isEmpty { columns[1] = "\(column: entity.entityColumn, of: alias)" }
    for shape in shapes.isEmpty ? [shape] : Array(shapes.values) {
      let missing = parts.missing(of: shape.entity.definition)
      for column in shape.entity.columns where !missing.contains(column.slot) {
        columns[Int(shape.columns[column.slot])] = "\(column: column.name, of: alias)"
        for (position, member) in zip(shape.members[column.slot] ?? [], column.members) {
          columns[Int(position)] = "\(column: member.name, of: alias)"
        }
      }
    }
    return columns.joined(separator: ", ")
  }
}

extension DefaultStore {
  /// As ``stream(_:row:)``, but the columns that are not asked for are NULL whatever they hold.
  func stream<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, parts: FetchParts,
    row: (inout StatementRow) throws -> Void
  ) throws {
    let query = FetchQuery(request, plan: try plans.plan(for: T._$definition), store: self)
    guard !query.isEmpty else { return }
    try pool.read(for: .fetch) { try $0.run(query, selecting: query.plan.selection(of: parts), row) }
  }
}
