import Foundation

/// The names of models and properties in named transactions.
package struct HistoryModelNames: Equatable, Sendable {
  /// By model and property: what is kept of it when a model is deleted, as ``ModelProperty/storedForm`` says
  /// it; empty where that is nothing.
  package let models: [String: [String: String]]

  package init(_ models: [String: [String: String]]) { self.models = models }

  init(_ layout: StoreLayout) {
    var models: [String: [String: String]] = [:]
    for entity in HistoryNames(layout).entities {
      guard let name = entity.name else { continue }
      var properties: [String: String] = [:]
      for property in (entity.columns + entity.lists).compactMap(\.self) { properties[property] = "" }
      for kept in entity.preserved {
        if let property = entity.columns[kept.slot] { properties[property] = kept.form }
      }
      models[name] = properties
    }
    self.models = models
  }

  /// All of that as text.
  package var text: String {
    var text = ""
    for (model, properties) in models.sorted(by: { $0.key < $1.key }) {
      text += "\(model)\n"
      for (property, form) in properties.sorted(by: { $0.key < $1.key }) { text += "\t\(property)\t\(form)\n" }
    }
    return text
  }

  /// The same names in the form in which a default store keeps them.
  fileprivate var standard: HistoryNames {
    HistoryNames(
      entities: models.sorted { $0.key < $1.key }.map { name, properties in
        let sorted = properties.sorted { $0.key < $1.key }
        return HistoryNames.Entity(
          name: name, columns: sorted.map(\.key), lists: [],
          preserved: sorted.enumerated().filter { !$0.element.value.isEmpty }.map {
            HistoryNames.Preserved(slot: $0.offset, columns: 1, form: $0.element.value)
          })
      })
  }
}

/// One stage of the migration of a history.
package struct RenamingStage: Sendable {
  let old: Schema
  let new: Schema
  /// The properties that fills give values, by `Model.property`.
  let fills: Set<String>
  /// Whether it changes more than names and shape.
  package let hasSteps: Bool

  package init(_ stage: StagePlan) {
    old = Schema(versionedSchema: stage.fromVersion)
    new = Schema(versionedSchema: stage.toVersion)
    fills = stage.fills(in: new)
    hasSteps = stage.hasCode
  }
}

/// How names have become others with a version of the schema.
package struct HistoryRenaming: Equatable, Sendable {
  /// The later name of `Model`, and of `Model.property`, where it is another; empty for what is gone.
  package let names: [String: String]
  /// The properties, by their earlier names, of which what was kept means something else now.
  package let unlike: Set<String>

  package init(names: [String: String], unlike: Set<String>) {
    self.names = names
    self.unlike = unlike
  }

  /// - Parameter hops: the stages of the plan; without one, names stay, and what is called otherwise says so
  ///   itself.
  package init(from old: HistoryModelNames, to new: HistoryModelNames, _ hops: [RenamingStage], _ schema: Schema) {
    let before = old.standard
    var after = before
    for hop in hops { after = after.following(from: hop.old, to: hop.new, filled: hop.fills) }
    if hops.isEmpty { after = before.following(to: schema) }
    var names: [String: String] = [:]
    var unlike = Set<String>()
    for (was, became) in zip(before.entities, after.entities) {
      guard let model = was.name else { continue }
      if became.name != model { names[model] = became.name ?? "" }
      guard let successor = became.name else { continue }
      for (property, later) in zip(was.columns, became.columns) {
        guard let property, property != later else { continue }
        names["\(model).\(property)"] = later ?? ""
      }
      for (kept, later) in zip(was.preserved, became.preserved) {
        guard let property = was.columns[kept.slot], let successorProperty = became.columns[kept.slot]
        else { continue }
        let form = new.models[successor]?[successorProperty] ?? ""
        guard later.form == "" || (!form.isEmpty && !StoredForms.areReadable(kept.form, as: form)) else {
          continue
        }
        unlike.insert("\(model).\(property)")
      }
    }
    self.names = names
    self.unlike = unlike
  }

  package var isEmpty: Bool { names.isEmpty && unlike.isEmpty }

  /// The later name of a model; nil when it is gone.
  func model(_ name: String) -> String? { names[name].map(\.nonEmpty) ?? name }

  /// The later name of a property.
  func property(_ name: String, of model: String) -> String? {
    names["\(model).\(name)"].map(\.nonEmpty) ?? name
  }
}

/// A model of earlier lines under the names of today.
struct RenamedModel {
  let name: String
  private let former: String
  private let renamings: [HistoryRenaming]

  /// - Parameter renamings: the earliest one first.
  /// - Returns: nil when the model is gone.
  init?(_ former: String, _ renamings: [HistoryRenaming]) {
    var name = former
    for renaming in renamings {
      guard let later = renaming.model(name) else { return nil }
      name = later
    }
    self.name = name
    self.former = former
    self.renamings = renamings
  }

  /// The name a property has today; nil when it is gone.
  func property(_ former: String) -> String? { later(former)?.name }

  /// What is left of a deleted one that still means what it meant.
  func left(_ values: [String: [NamedTransaction.Value]]) -> [String: [NamedTransaction.Value]] {
    guard !renamings.isEmpty else { return values }
    var left: [String: [NamedTransaction.Value]] = [:]
    for (property, value) in values {
      if let later = later(property), !later.isUnlike { left[later.name] = value }
    }
    return left
  }

  private func later(_ former: String) -> (name: String, isUnlike: Bool)? {
    var (model, name, isUnlike) = (self.former, former, false)
    for renaming in renamings {
      if renaming.unlike.contains("\(model).\(name)") { isUnlike = true }
      guard let later = renaming.property(name, of: model), let successor = renaming.model(model)
      else { return nil }
      (model, name) = (successor, later)
    }
    return (name, isUnlike)
  }
}

/// The names under which the engine's tables have transactions of which other values are kept than today.
final class EpochCache {
  private var epochs: [String: Int] = [:]

  /// The number of names, which are written down where they are new.
  func epoch(of names: HistoryNames, _ connection: Connection) throws -> Int {
    let text = names.text
    if let known = epochs[text] { return known }
    let found = try HistoryNames.all(connection).first { $0.names == names }?.epoch
    let epoch = try found ?? next(connection)
    if found == nil {
      try connection.executeCached(
        """
        INSERT INTO \(name: HistoryTables.names) ("epoch", "names")
        VALUES (\(value: .integer(Int64(epoch))), \(value: .text(text)))
        """)
    }
    epochs[text] = epoch
    return epoch
  }

  func names(of epoch: Int, _ connection: Connection) throws -> HistoryNames? {
    try HistoryNames.all(connection).first { $0.epoch == epoch }?.names
  }

  private func next(_ connection: Connection) throws -> Int {
    (try HistoryNames.all(connection).map(\.epoch).max() ?? 0) + 1
  }
}
