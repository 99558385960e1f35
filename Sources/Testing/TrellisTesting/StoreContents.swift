import Foundation
package import Trellis

/// A store's contents: rows by class and key, with values as text and the keys of referenced rows.
package struct StoreContents {
  struct Row: Equatable {
    var values: [String: String] = [:]
    var links: [String: [String]] = [:]
  }

  /// The rows by class and key.
  private(set) var rows: [String: [String: Row]] = [:]
  /// The class names in each hierarchy, by superclass.
  private var hierarchies: [String: [String]] = [:]

  package init(of version: any VersionedSchema.Type, _ container: ModelContainer) throws {
    let context = ModelContext(container)
    let schema = Schema(versionedSchema: version)
    for entity in schema.entities { hierarchies[entity.name] = Self.names(below: entity) }
    for type in version.models { try read(type, context, schema) }
  }

  var isEmpty: Bool { rows.values.allSatisfy(\.isEmpty) }

  /// True if the class or a subclass has a row with the key.
  func contains(_ key: String, of model: String) -> Bool {
    (hierarchies[model] ?? [model]).contains { rows[$0]?[key] != nil }
  }

  /// The first difference; `nil` if the contents are equal.
  package func difference(from other: StoreContents) -> String? {
    for model in Set(rows.keys).union(other.rows.keys).sorted() {
      let (own, others) = (rows[model] ?? [:], other.rows[model] ?? [:])
      for key in Set(own.keys).union(others.keys).sorted() where own[key] != others[key] {
        guard let row = own[key], let old = others[key] else {
          return "row \(key) of '\(model)' is \(own[key] == nil ? "missing" : "new")"
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

  /// True if the rows and references are equal. Values can differ, because migration steps can use the time or random
  /// values.
  func isAlike(_ other: StoreContents) -> Bool {
    rows.mapValues { $0.mapValues(\.links) } == other.rows.mapValues { $0.mapValues(\.links) }
  }

  /// Returns the names of a class and all its subclasses.
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
    // Subclass rows are read with their own class.
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

  /// A row's key, which does not change when the model is renamed.
  private static func key(of model: any PersistentModel) -> String {
    // A default store's identifiers have the form `Trip/17`. The code does not use `row`, because inlining it here
    // crashes the Swift 6.3 optimizer ("Found ownership error") in release builds.
    let text = "\(model.persistentModelID)"
    return text.split(separator: "/").last.map(String.init) ?? text
  }
}
