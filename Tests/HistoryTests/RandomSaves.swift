import Foundation
import TestSupport
import Trellis

/// Repeatedly edits models in two contexts and saves one of them.
struct RandomSaves {
  private let container: ModelContainer
  private let contexts: [ModelContext]
  private var random: SeededGenerator
  private var next = 0
  private(set) var log: [String] = []
  private(set) var saved = 0
  private(set) var failed = 0
  private var hasOldEdits = [false, false]

  struct Outcome {
    var author: String?
    /// True if the context recorded no history.
    var isQuiet = false
    /// True if the context had edits before the other context saved, or if its models may have been merged with other
    /// rows.
    var isContended = false
  }

  init(_ container: ModelContainer, seed: UInt64) {
    self.container = container
    random = SeededGenerator(seed: seed)
    contexts = (0..<2).map { _ in ModelContext(container) }
    for context in contexts { context.undoManager = UndoManager() }
  }

  /// Makes edits and one save, which can fail, then discards all unsaved changes.
  mutating func round() -> Outcome {
    log = []
    let index = Int.random(in: 0..<2, using: &random)
    let context = contexts[index]
    context.author = [nil, "app", "widget"].randomElement(using: &random) ?? nil
    context.recordsHistory = Int.random(in: 0..<12, using: &random) > 0
    var outcome = Outcome(author: context.author, isQuiet: !context.recordsHistory)
    outcome.isContended = hasOldEdits[index]
    hasOldEdits[index] = false
    do {
      // The other context has unsaved edits.
      if Int.random(in: 0..<4, using: &random) == 0 { try edit(contexts[1 - index]) }
      log.append("context \(index)\(outcome.isQuiet ? ", quiet" : "")")
      for _ in 0..<Int.random(in: 1...6, using: &random) { try edit(context) }
      if Int.random(in: 0..<6, using: &random) == 0 { undo(context) }
      try context.save()
      saved += 1
    } catch {
      log.append("failed: \(error)")
      failed += 1
      for context in contexts { context.rollback() }
    }
    if log.contains(where: { $0.hasPrefix("insert parcel") }) { outcome.isContended = true }
    hasOldEdits[1 - index] = contexts[1 - index].hasChanges
    if Int.random(in: 0..<3, using: &random) == 0 {
      hasOldEdits[1 - index] = false
      log.append("rollback of the other")
      contexts[1 - index].rollback()
    }
    return outcome
  }

  private mutating func undo(_ context: ModelContext) {
    log.append("undo")
    context.undoManager?.undo()
    if Bool.random(using: &random) {
      log.append("redo")
      context.undoManager?.redo()
    }
  }

  private mutating func name() -> String {
    next += 1
    return "n\(next)"
  }

  private mutating func some<M: PersistentModel>(_: M.Type, _ context: ModelContext) throws -> M? {
    try context.fetch(FetchDescriptor<M>()).filter { !$0.isDeleted }
      .sorted { "\($0.persistentModelID)" < "\($1.persistentModelID)" }.randomElement(using: &random)
  }

  private mutating func edit(_ context: ModelContext) throws {
    switch Int.random(in: 0..<22, using: &random) {
    case 0, 1:
      let parcel = Parcel(code: "code \(Int.random(in: 0..<10, using: &random))", note: name())
      log.append("insert parcel \(parcel.code)")
      context.insert(parcel)
      if Bool.random(using: &random) {
        let item = Item(name: name())
        parcel.items.append(item)
      }
    case 2: insert(Item(name: name()), context)
    case 3: insert(Label(text: name()), context)
    case 4: insert(Stamp(motif: "motif \(Int.random(in: 0..<8, using: &random))"), context)
    case 5: insert(Stop(place: name()), context)
    case 6: insert(Bool.random(using: &random) ? Document(title: name()) : Report(title: name()), context)
    case 7, 8: try edit(try some(Parcel.self, context), context)
    case 9:
      guard let item = try some(Item.self, context) else { return }
      log.append("move item")
      item.parcel = Bool.random(using: &random) ? try some(Parcel.self, context) : nil
    case 10:
      guard let parcel = try some(Parcel.self, context), let item = try some(Item.self, context) else { return }
      log.append("toggle item")
      if let place = parcel.items.firstIndex(of: item) {
        parcel.items.remove(at: place)
      } else {
        parcel.items.append(item)
      }
    case 11:
      guard let parcel = try some(Parcel.self, context), let stamp = try some(Stamp.self, context) else { return }
      log.append("toggle stamp")
      if let place = parcel.stamps.firstIndex(of: stamp) {
        parcel.stamps.remove(at: place)
      } else {
        stamp.parcels.append(parcel)
      }
    case 12:
      guard let parcel = try some(Parcel.self, context) else { return }
      log.append("route")
      var route = parcel.route
      if let stop = try some(Stop.self, context), !route.contains(stop) { route.append(stop) }
      if Bool.random(using: &random) { route.shuffle(using: &random) }
      if Bool.random(using: &random), !route.isEmpty { route.removeLast() }
      parcel.route = route
    case 13:
      guard let stop = try some(Stop.self, context) else { return }
      log.append("move stop")
      stop.parcel = try some(Parcel.self, context)
    case 14:
      guard let parcel = try some(Parcel.self, context) else { return }
      log.append("label")
      parcel.label = Bool.random(using: &random) ? try some(Label.self, context) : nil
    case 15:
      guard let label = try some(Label.self, context) else { return }
      log.append("label's parcel")
      label.parcel = try some(Parcel.self, context)
      label.text = name()
    case 16: try delete(Parcel.self, context)
    case 17: Bool.random(using: &random) ? try delete(Stamp.self, context) : try delete(Label.self, context)
    case 18: Bool.random(using: &random) ? try delete(Item.self, context) : try delete(Stop.self, context)
    case 19:
      guard let document = try some(Document.self, context) else { return }
      log.append("document")
      document.pages += Int.random(in: 0...1, using: &random)
      if let report = document as? Report { report.year = Int.random(in: 2024...2026, using: &random) }
      if Int.random(in: 0..<3, using: &random) == 0 { context.delete(document) }
    case 20:
      let limit = Int.random(in: 0..<3, using: &random)
      log.append("batch delete")
      try context.delete(model: Item.self, where: #Predicate { $0.price == limit && $0.parcel == nil })
    default:
      guard let item = try some(Item.self, context) else { return }
      let price = item.price
      log.append("there and back")
      item.price = price + 1
      item.price = price
    }
  }

  private mutating func insert(_ model: some PersistentModel, _ context: ModelContext) {
    log.append("insert \(type(of: model))")
    context.insert(model)
  }

  private mutating func delete<M: PersistentModel>(_: M.Type, _ context: ModelContext) throws {
    guard let model = try some(M.self, context) else { return }
    log.append("delete \(model.persistentModelID)")
    context.delete(model)
  }

  private mutating func edit(_ parcel: Parcel?, _ context: ModelContext) throws {
    guard let parcel else { return }
    log.append("edit \(parcel.persistentModelID)")
    switch Int.random(in: 0..<9, using: &random) {
    case 0: parcel.code = "code \(Int.random(in: 0..<10, using: &random))"
    case 1: parcel.weight = [nil, 0, -0.0, .infinity, 2.5].randomElement(using: &random) ?? nil
    case 2: parcel.state = [.new, .sent, .lost].randomElement(using: &random) ?? .new
    case 3:
      parcel.address =
        [nil, Parcel.Address(street: "a"), Parcel.Address(street: "a", city: "b")].randomElement(using: &random) ?? nil
    case 4: parcel.words = Array(["a", "b", "e\u{301}"].shuffled(using: &random).prefix(2))
    case 5: parcel.picture = [nil, Data(), Data(repeating: 3, count: 200_000)].randomElement(using: &random) ?? nil
    case 6: parcel.sentOn = [nil, Date(timeIntervalSinceReferenceDate: 0.1)].randomElement(using: &random) ?? nil
    case 7: parcel.serial = [0, .max, 1 << 63].randomElement(using: &random) ?? 0
    default:
      parcel.note = name()
      parcel.count += 1
    }
  }
}
