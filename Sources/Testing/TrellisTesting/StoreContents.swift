import Foundation
package import Trellis

/// Everything in a store: rows under their own class and key, with their values as text and the keys of
/// the rows they refer to.
package struct StoreContents {
  struct Row: Equatable {
    var values: [String: String] = [:]
    var links: [String: [String]] = [:]
  }

  /// By class and key.
  private(set) var rows: [String: [String: Row]] = [:]
  /// By class, those that inherit from it and itself.
  private var hierarchies: [String: [String]] = [:]

  package init(of version: any VersionedSchema.Type, _ container: ModelContainer) throws {
    let context = ModelContext(container)
    let schema = Schema(versionedSchema: version)
    for entity in schema.entities { hierarchies[entity.name] = Self.names(below: entity) }
    for type in version.models { try read(type, context, schema) }
  }

  var isEmpty: Bool { rows.values.allSatisfy(\.isEmpty) }

  /// The rows of a class and of those that inherit from it.
  func contains(_ key: String, of model: String) -> Bool {
    (hierarchies[model] ?? [model]).contains { rows[$0]?[key] != nil }
  }

  /// The first thing that is not the same in both; nil if there is none.
  package func difference(from other: StoreContents) -> String? {
    for model in Set(rows.keys).union(other.rows.keys).sorted() {
      let (own, others) = (rows[model] ?? [:], other.rows[model] ?? [:])
      for key in Set(own.keys).union(others.keys).sorted() where own[key] != others[key] {
        guard let row = own[key], let old = others[key] else {
          return "row \(key) of '\(model)' is \(own[key] == nil ? "gone" : "new")"
        }
        for name in row.values.keys.sorted() where row.values[name] != old.values[name] {
          return "'\(model).\(name)' of row \(key) was \(old.values[name] ?? "nothing") and is "
            + (row.values[name] ?? "nothing")
        }
        for name in row.links.keys.sorted() where row.links[name] != old.links[name] {
          return "'\(model).\(name)' of row \(key) was \(old.links[name] ?? []) and is \(row.links[name] ?? [])"
        }
      }
    }
    return nil
  }

  /// The classes a class is one of, from itself up.
  private static func names(below entity: Schema.Entity) -> [String] {
    [entity.name] + entity.subentities.flatMap { names(below: $0) }
  }

  private mutating func read<M: PersistentModel>(
    _ type: M.Type, _ context: ModelContext, _ schema: Schema
  ) throws {
    let name = Schema.entityName(for: type)
    let attributes = type.attributes
    let relationships = type.relationships
    let ordered = Set(
      schema.entitiesByName[name]?.properties.compactMap { property in
        (property as? Schema.Relationship).flatMap { $0.isOrdered ? $0.name : nil }
      } ?? [])
    rows[name] = [:]
    // Rows of subclasses are looked at as what they are.
    for model in try context.fetch(FetchDescriptor<M>()) where Swift.type(of: model) == M.self {
      var row = Row()
      for (name, path) in attributes { row.values[name] = ValueText.text(model[keyPath: path] as Any) }
      for (name, path) in relationships {
        let keys = Self.keys(model[keyPath: path] as Any)
        row.links[name] = ordered.contains(name) ? keys : keys.sorted()
      }
      rows[name]?[Self.key(of: model)] = row
    }
  }

  private static func keys(_ value: Any) -> [String] {
    if let models = value as? [any PersistentModel] { return models.map { key(of: $0) } }
    return (value as? any PersistentModel).map { [key(of: $0)] } ?? []
  }

  /// A row keeps its key, whatever its model is called.
  private static func key(of model: any PersistentModel) -> String {
    // `Trip/17`, of a default store, which is what is opened here. Not by `row`: inlined here it ends the
    // optimiser of Swift 6.3 ("Found ownership error"), and with it every release build.
    let text = "\(model.persistentModelID)"
    return text.split(separator: "/").last.map(String.init) ?? text
  }
}
