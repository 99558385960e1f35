import Foundation
import Trellis

/// A second store that follows a first store by its history only. Objects correspond by identifier. Only the changed
/// properties of an update are copied.
struct Replica {
  private let source: ModelContainer
  private let target: ModelContainer
  private var copies: [PersistentIdentifier: PersistentIdentifier] = [:]

  init(of source: ModelContainer, in target: ModelContainer) {
    self.source = source
    self.target = target
  }

  /// The contents of the second store with the identifiers of the first store.
  func state() throws -> StoredState {
    let originals = Dictionary(uniqueKeysWithValues: copies.map { ($1, $0) })
    return try StoredState(target) { originals[$0] ?? $0 }
  }

  /// Applies changes: insertions, then values, then deletions.
  mutating func apply(_ changes: [HistoryChange]) throws {
    var fields: [PersistentIdentifier: Set<String>?] = [:]
    var deleted: [PersistentIdentifier] = []
    var order: [PersistentIdentifier] = []
    for change in changes {
      let identifier = change.changedPersistentIdentifier
      order.append(identifier)
      switch ToldChange(change) {
      case .insert: fields[identifier] = .some(nil)
      case .update(_, let names):
        // All properties of a new object are copied.
        guard let known = fields[identifier] else {
          fields[identifier] = names
          continue
        }
        fields[identifier] = .some(known.map { $0.union(names) })
      case .delete:
        fields[identifier] = nil
        deleted.append(identifier)
      }
    }
    try write(fields, order, deleted)
  }

  /// Compares all objects, for an incomplete history.
  mutating func applyEverything() throws {
    let models = try Self.models(ModelContext(source))
    try write(
      models.mapValues { _ in nil }, models.keys.sorted(), copies.keys.filter { models[$0] == nil }.sorted())
  }

  private mutating func write(
    _ fields: [PersistentIdentifier: Set<String>?], _ order: [PersistentIdentifier],
    _ deleted: [PersistentIdentifier]
  ) throws {
    let (from, to) = (ModelContext(source), ModelContext(target))
    let originals = try Self.models(from)
    let present = try Self.models(to)
    var known: [PersistentIdentifier: any PersistentModel] = copies.compactMapValues { present[$0] }
    var isNew: [PersistentIdentifier] = []
    for identifier in order where known[identifier] == nil && fields[identifier] != nil {
      guard let original = originals[identifier] else { continue }
      known[identifier] = Self.insert(original, to)
      isNew.append(identifier)
    }
    let pass = CopyPass(known: known)
    for (identifier, names) in fields.sorted(by: { $0.key < $1.key }) {
      guard let original = originals[identifier], let copy = known[identifier] else { continue }
      pass.copy(isNew.contains(identifier) ? nil : names, from: original, to: copy)
    }
    pass.arrangeLists()
    for identifier in deleted where originals[identifier] == nil {
      if let copy = known[identifier] { Self.delete(copy, to) }
    }
    try to.save()
    for identifier in isNew { copies[identifier] = known[identifier]?.persistentModelID }
    for identifier in deleted where originals[identifier] == nil { copies[identifier] = nil }
  }

  private static func models(_ context: ModelContext) throws -> [PersistentIdentifier: any PersistentModel] {
    var models: [PersistentIdentifier: any PersistentModel] = [:]
    func add<M: PersistentModel>(_: M.Type) throws {
      for model in try context.fetch(FetchDescriptor<M>()) { models[model.persistentModelID] = model }
    }
    try add(Parcel.self)
    try add(Item.self)
    try add(Label.self)
    try add(Stamp.self)
    try add(Stop.self)
    try add(Document.self)
    return models
  }

  private static func insert(_ original: any PersistentModel, _ context: ModelContext) -> any PersistentModel {
    func inserted<M: PersistentModel>(_ model: M) -> M {
      context.insert(model)
      return model
    }
    return switch original {
    case let parcel as Parcel: inserted(Parcel(code: parcel.code))
    case let item as Item: inserted(Item(name: item.name))
    case let stamp as Stamp: inserted(Stamp(motif: stamp.motif))
    case let stop as Stop: inserted(Stop(place: stop.place))
    case let report as Report: inserted(Report(title: report.title))
    case let document as Document: inserted(Document(title: document.title))
    default: inserted(Label(text: ""))
    }
  }

  private static func delete(_ model: any PersistentModel, _ context: ModelContext) {
    func delete<M: PersistentModel>(_ model: M) { context.delete(model) }
    delete(model)
  }
}

/// Copies values of models from one context to another.
private final class CopyPass {
  private let known: [PersistentIdentifier: any PersistentModel]
  /// Lists with members that were changed through their own relationship, which does not record positions.
  private var lists: [PersistentIdentifier: (from: Parcel, to: Parcel)] = [:]

  init(known: [PersistentIdentifier: any PersistentModel]) { self.known = known }

  private func twin<M: PersistentModel>(_ model: M?) -> M? {
    model.flatMap { known[$0.persistentModelID] as? M }
  }

  private func arrange(_ parcel: Parcel?) {
    if let parcel, let copy = twin(parcel) { lists[parcel.persistentModelID] = (parcel, copy) }
  }

  func arrangeLists() {
    for (_, list) in lists.sorted(by: { $0.key < $1.key }) {
      list.to.route = list.from.route.compactMap(twin)
    }
  }

  /// - Parameter names: The names of the properties; nil for all properties.
  func copy(_ names: Set<String>?, from: any PersistentModel, to: any PersistentModel) {
    func has(_ name: String) -> Bool { names?.contains(name) ?? true }
    switch (from, to) {
    case (let from as Parcel, let to as Parcel):
      if has("code") { to.code = from.code }
      if has("weight") { to.weight = from.weight }
      if has("state") { to.state = from.state }
      if has("address") { to.address = from.address }
      if has("words") { to.words = from.words }
      if has("picture") { to.picture = from.picture }
      if has("sentOn") { to.sentOn = from.sentOn }
      if has("serial") { to.serial = from.serial }
      if has("note") { to.note = from.note }
      if has("count") { to.count = from.count }
      if has("label") { to.label = twin(from.label) }
      if has("stamps") { to.stamps = from.stamps.compactMap(twin) }
      if has("route") { arrange(from) }
    case (let from as Item, let to as Item):
      if has("name") { to.name = from.name }
      if has("price") { to.price = from.price }
      if has("parcel") { to.parcel = twin(from.parcel) }
    case (let from as Label, let to as Label):
      if has("text") { to.text = from.text }
      if has("parcel") { to.parcel = twin(from.parcel) }
    case (let from as Stamp, let to as Stamp):
      if has("motif") { to.motif = from.motif }
      if has("parcels") { to.parcels = from.parcels.compactMap(twin) }
    case (let from as Stop, let to as Stop):
      if has("place") { to.place = from.place }
      if has("parcel") {
        to.parcel = twin(from.parcel)
        arrange(from.parcel)
      }
    case (let from as Document, let to as Document):
      if has("title") { to.title = from.title }
      if has("pages") { to.pages = from.pages }
      guard let from = from as? Report, let to = to as? Report else { return }
      if has("year") { to.year = from.year }
      if has("author") { to.author = from.author }
    default: break
    }
  }
}
