import Foundation
import Trellis

/// The contents of a store as text, for comparison with its history.
struct StoredState: Equatable {
  struct Row: Equatable {
    var model: String
    /// The attributes and to-one relationships.
    var values: [String: String]
    /// The to-many relationships without a to-one inverse.
    var lists: [String: [String]] = [:]
    /// The preserved values in declaration order.
    var kept: [String] = []
  }

  var rows: [PersistentIdentifier: Row] = [:]

  /// - Parameter naming: Returns the identifier to use for an object.
  init(_ container: ModelContainer, naming: (PersistentIdentifier) -> PersistentIdentifier = { $0 }) throws {
    let context = ModelContext(container)
    func all<M: PersistentModel>(_: M.Type) throws -> [M] { try context.fetch(FetchDescriptor<M>()) }
    func text(_ values: Any...) -> [String] { values.map { "\($0)" } }
    func id(_ model: (any PersistentModel)?) -> String { model.map { "\(naming($0.persistentModelID))" } ?? "nil" }
    func ids(_ models: [any PersistentModel]) -> [String] { models.map { "\(naming($0.persistentModelID))" } }
    for parcel in try all(Parcel.self) {
      let kept = text(
        parcel.code, parcel.weight as Any, parcel.state, parcel.address as Any, parcel.words, parcel.picture as Any,
        parcel.sentOn as Any, parcel.serial)
      let names = ["code", "weight", "state", "address", "words", "picture", "sentOn", "serial"]
      var values = Dictionary(uniqueKeysWithValues: zip(names, kept))
      values["note"] = parcel.note
      values["count"] = "\(parcel.count)"
      values["label"] = id(parcel.label)
      rows[naming(parcel.persistentModelID)] = Row(
        model: "Parcel", values: values,
        lists: ["stamps": ids(parcel.stamps).sorted(), "route": ids(parcel.route)], kept: kept)
    }
    for item in try all(Item.self) {
      rows[naming(item.persistentModelID)] = Row(
        model: "Item", values: ["name": item.name, "price": "\(item.price)", "parcel": id(item.parcel)],
        kept: [item.name])
    }
    for label in try all(Label.self) {
      rows[naming(label.persistentModelID)] = Row(
        model: "Label", values: ["text": label.text, "parcel": id(label.parcel)])
    }
    for stamp in try all(Stamp.self) {
      rows[naming(stamp.persistentModelID)] = Row(
        model: "Stamp", values: ["motif": stamp.motif], lists: ["parcels": ids(stamp.parcels).sorted()])
    }
    for stop in try all(Stop.self) {
      rows[naming(stop.persistentModelID)] = Row(
        model: "Stop", values: ["place": stop.place, "parcel": id(stop.parcel)])
    }
    for document in try all(Document.self) {
      var row = Row(
        model: "Document", values: ["title": document.title, "pages": "\(document.pages)"], kept: [document.title])
      if let report = document as? Report {
        row.model = "Report"
        row.values["year"] = "\(report.year)"
        row.values["author"] = report.author
        row.kept.append("\(report.year)")
      }
      rows[naming(document.persistentModelID)] = row
    }
  }

  /// True if the remaining members of an ordered list are in their previous order. Changes of members through their own
  /// relationship are recorded with the members.
  func keepsOrder(_ identifier: PersistentIdentifier, in after: StoredState) -> Bool {
    guard let before = rows[identifier]?.lists["route"], let now = after.rows[identifier]?.lists["route"]
    else { return false }
    return before != now && before.filter(now.contains) == now.filter(before.contains)
  }

  /// The differences from the expected state.
  func difference(from expected: StoredState) -> String {
    Set(rows.keys).union(expected.rows.keys).filter { rows[$0] != expected.rows[$0] }.sorted().map { key in
      "\(key): \(rows[key].map { "\($0)" } ?? "nothing"), should be \(expected.rows[key].map { "\($0)" } ?? "nothing")"
    }.joined(separator: "\n")
  }

  /// The expected history between two states.
  func changes(to after: StoredState) -> [PersistentIdentifier: ToldChange] {
    var changes: [PersistentIdentifier: ToldChange] = [:]
    for (identifier, row) in after.rows {
      guard let before = rows[identifier] else {
        changes[identifier] = .insert(row.model)
        continue
      }
      var names = Set(row.values.filter { $0.value != before.values[$0.key] }.keys)
      names.formUnion(row.lists.filter { $0.value != before.lists[$0.key] }.keys)
      if !names.isEmpty { changes[identifier] = .update(row.model, names) }
    }
    for (identifier, row) in rows where after.rows[identifier] == nil {
      changes[identifier] = .delete(row.model, row.kept)
    }
    return changes
  }
}

/// A change in a history.
enum ToldChange: Equatable {
  case insert(String)
  case update(String, Set<String>)
  case delete(String, [String])

  init(_ change: HistoryChange) {
    func words<T: HistoryUpdate>(_ update: T) -> ToldChange {
      let names = T.Model.schemaMetadata.compactMap { metadata in
        metadata.keypath.flatMap { path in
          update.updatedAttributes.contains { $0 == path } ? metadata.name : nil
        }
      }
      return .update("\(T.Model.self)", Set(names))
    }
    func words<T: HistoryInsert>(_: T) -> ToldChange { .insert("\(T.Model.self)") }
    func words<T: HistoryDelete>(_ delete: T) -> ToldChange {
      .delete("\(T.Model.self)", delete.tombstone.map { "\($0)" })
    }
    switch change {
    case .insert(let change): self = words(change)
    case .update(let change): self = words(change)
    case .delete(let change): self = words(change)
    }
  }

  /// The change without a property; nil if no property remains.
  func without(_ property: String) -> ToldChange? {
    guard case .update(let model, let names) = self else { return self }
    return names == [property] ? nil : .update(model, names.subtracting([property]))
  }

  /// The combination of two consecutive changes of one object; nil if they cancel out.
  func then(_ later: ToldChange) -> ToldChange? {
    switch (self, later) {
    case (.insert, .delete): nil
    case (.insert, _): self
    case (.update(let model, let names), .update(_, let more)): .update(model, names.union(more))
    case (_, _): later
    }
  }
}
