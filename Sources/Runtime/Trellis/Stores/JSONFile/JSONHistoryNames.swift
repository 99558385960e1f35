import Foundation

/// What lines of a history call models and properties.
struct JSONHistoryNames: Equatable {
  /// By model and property: what is kept of it when a model is deleted, as ``ModelProperty/storedForm`` says
  /// it; empty where that is nothing.
  let models: [String: [String: String]]

  init(_ models: [String: [String: String]]) { self.models = models }

  init(_ layout: StoreLayout) {
    var models: [String: [String: String]] = [:]
    for entity in HistoryNames(layout).entities {
      guard let name = entity.name else { continue }
      var properties: [String: String] = [:]
      for property in (entity.columns + entity.lists).compactMap(\.self) { properties[property] = "" }
      for kept in entity.preserved {
        if let property = entity.columns[kept.slot] { properties[property] = kept.form ?? "" }
      }
      models[name] = properties
    }
    self.models = models
  }

  /// A short name for all of that, which each line has.
  var digest: String {
    var text = ""
    for (model, properties) in models.sorted(by: { $0.key < $1.key }) {
      text += "\(model)\n"
      for (property, form) in properties.sorted(by: { $0.key < $1.key }) { text += "\t\(property)\t\(form)\n" }
    }
    return JSONHistoryFile.digest(Data(text.utf8))
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

/// One stage on the way from the schema a history was written under.
struct JSONHistoryHop {
  let old: Schema
  let new: Schema
  /// The properties that fills give values, by `Model.property`.
  let fills: Set<String>
  /// Whether it changes more than names and shape.
  let hasSteps: Bool

  init(_ stage: StagePlan) {
    old = Schema(versionedSchema: stage.fromVersion)
    new = Schema(versionedSchema: stage.toVersion)
    fills = stage.fills(in: new)
    hasSteps = stage.hasCode
  }
}

/// How names have become others with a version of the schema.
struct JSONHistoryRenaming: Equatable {
  /// The later name of `Model`, and of `Model.property`, where it is another; empty for what is gone.
  let names: [String: String]
  /// The properties, by their earlier names, of which what was kept means something else now.
  let unlike: Set<String>

  init(names: [String: String], unlike: Set<String>) {
    self.names = names
    self.unlike = unlike
  }

  /// - Parameter hops: the stages of the plan; without one, names stay, and what is called otherwise says so
  ///   itself.
  init(from old: JSONHistoryNames, to new: JSONHistoryNames, _ hops: [JSONHistoryHop], _ schema: Schema) {
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
        guard later.form == "" || (!form.isEmpty && !ValueForm.isSame(kept.form ?? "", form)) else { continue }
        unlike.insert("\(model).\(property)")
      }
    }
    self.names = names
    self.unlike = unlike
  }

  var isEmpty: Bool { names.isEmpty && unlike.isEmpty }

  /// The later name of a model; nil when it is gone.
  func model(_ name: String) -> String? { names[name].map(\.nonEmpty) ?? name }

  /// The later name of a property.
  func property(_ name: String, of model: String) -> String? {
    names["\(model).\(name)"].map(\.nonEmpty) ?? name
  }
}
