import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// The notifications of a context in order.
private final class NotificationLog {
  private(set) var entries: [String] = []
  private(set) var last: [AnyHashable: Any] = [:]
  /// The retained user info dictionaries of all notifications.
  private(set) var all: [[AnyHashable: Any]] = []
  private(set) var willSaveInfo: [AnyHashable: Any]?
  private var tokens: [any NSObjectProtocol] = []
  var keepsAll = false

  init(
    _ context: ModelContext, will: @escaping () -> Void = {}, did: @escaping () -> Void = {}
  ) {
    let center = NotificationCenter.default
    nonisolated(unsafe) let log = self
    nonisolated(unsafe) let will = will
    nonisolated(unsafe) let did = did
    tokens = [
      center.addObserver(forName: ModelContext.willSave, object: context, queue: nil) { note in
        log.entries.append("will")
        log.willSaveInfo = note.userInfo
        will()
      },
      center.addObserver(forName: ModelContext.didSave, object: context, queue: nil) { note in
        log.entries.append("did")
        log.last = note.userInfo ?? [:]
        if log.keepsAll { log.all.append(log.last) }
        did()
      },
    ]
  }

  deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

  func identifiers(_ key: ModelContext.NotificationKey) -> Set<PersistentIdentifier> {
    last[key] as? Set<PersistentIdentifier> ?? []
  }

  /// The numbers of inserted, updated and deleted identifiers, and of tokens, in a notification.
  static func counts(_ info: [AnyHashable: Any]) -> [Int] {
    let keys: [ModelContext.NotificationKey] = [.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers]
    let counts = keys.map { (info[$0.rawValue] as? [PersistentIdentifier])?.count ?? -1 }
    let again = keys.map { (info[$0] as? Set<PersistentIdentifier>)?.count ?? -1 }
    let tokens = info[ModelContext.NotificationKey.historyTokens] as? [String: any HistoryToken]
    return counts == again ? counts + [tokens?.count ?? -1] : []
  }
}

@Suite struct NotificationTests {
  let fixture: LifeCycleFixture
  let context: ModelContext

  init() throws {
    fixture = try LifeCycleFixture()
    context = fixture.context
  }

  @Test func S068_willSavePostsBeforeAndDidSaveOnlyAfterSuccess() throws {
    let log = NotificationLog(context)
    let maker = artist("A")
    let piece = Piece(title: "p", maker: maker)
    context.insert(piece)
    try context.save()
    #expect(log.entries == ["will", "did"] && log.willSaveInfo == nil)
    maker.made = []
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(log.entries == ["will", "did", "will"])
    context.rollback()
    try context.save()
    #expect(log.entries.count == 3)
  }

  @Test func S069_didSaveHasTheIdentifiersUnderBothSpellingsOfTheKeys() throws {
    let log = NotificationLog(context)
    let kept = studio("kept")
    let doomed = studio("doomed")
    doomed.badge = Badge(number: 1)
    context.insert(kept)
    context.insert(doomed)
    try context.save()
    let badge = try #require(doomed.badge).persistentModelID
    #expect(
      log.identifiers(.insertedIdentifiers)
        == [kept.persistentModelID, doomed.persistentModelID, badge])
    #expect(log.identifiers(.insertedIdentifiers).allSatisfy { !$0.isTemporary })
    #expect(log.identifiers(.updatedIdentifiers).isEmpty)
    #expect(log.identifiers(.deletedIdentifiers).isEmpty)
    kept.floor = 4
    context.delete(doomed)
    let dropped = studio("dropped")
    context.insert(dropped)
    context.delete(dropped)
    try context.save()
    #expect(log.identifiers(.insertedIdentifiers).isEmpty)
    #expect(log.identifiers(.updatedIdentifiers) == [kept.persistentModelID])
    #expect(log.identifiers(.deletedIdentifiers) == [doomed.persistentModelID, badge])
    for key: ModelContext.NotificationKey in [
      .insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers,
    ] {
      #expect((log.last[key.rawValue] as? [PersistentIdentifier]).map(Set.init) == log.identifiers(key))
      #expect(ModelContext.NotificationKey(rawValue: key.rawValue) == key)
    }
  }

  /// The context reuses the storage of the previous notification.
  @Test(arguments: [false, true]) func retainedNotificationsDoNotChange(keepsAll: Bool) throws {
    let log = NotificationLog(context)
    log.keepsAll = keepsAll
    var seen: [[Int]] = []
    var positions: [Int] = []
    func save() throws {
      try context.save()
      seen.append(NotificationLog.counts(log.last))
      let tokens = log.last[ModelContext.NotificationKey.historyTokens] as? [String: any HistoryToken]
      positions.append((tokens?.values.first as? DefaultHistoryToken)?.id ?? -1)
    }
    let models = (0..<600).map { studio("\($0)") }
    context.insert(models[0])
    try save()
    models[0].floor = 1
    try save()
    for model in models[1...] { context.insert(model) }
    try save()
    models[1].floor = 1
    context.delete(models[2])
    try save()
    for model in models[3..<500] { model.floor = 2 }
    context.insert(studio("one more"))
    try save()
    context.delete(models[3])
    try save()
    let expected = [
      [1, 0, 0, 1], [0, 1, 0, 1], [599, 0, 0, 1], [0, 1, 1, 1], [1, 497, 0, 1], [0, 0, 1, 1],
    ]
    #expect(seen == expected)
    #expect(Set(positions).count == 6 && positions == positions.sorted())
    guard keepsAll else { return }
    #expect(log.all.map(NotificationLog.counts) == expected)
    let kept = log.all.map {
      (($0[ModelContext.NotificationKey.historyTokens] as? [String: any HistoryToken])?.values.first
        as? DefaultHistoryToken)?.id
    }
    #expect(kept == positions)
  }

  @Test func S070_theObjectIsTheContext() throws {
    let log = NotificationLog(context)
    let other = fixture.fresh()
    other.insert(studio())
    try other.save()
    #expect(log.entries.isEmpty)
  }

  @Test func changesMadeByWillSaveObserversAreSaved() throws {
    let model = studio()
    let extra = studio("extra")
    nonisolated(unsafe) let context = context
    let log = NotificationLog(
      context,
      will: {
        model.floor += 1
        context.insert(extra)
        try? context.save()
      })
    context.insert(model)
    try context.save()
    #expect(log.entries == ["will", "did"])
    #expect(log.identifiers(.insertedIdentifiers).count == 2)
    let stored = try fixture.fresh().fetch(
      FetchDescriptor<Studio>(sortBy: [SortDescriptor(\.name)]))
    #expect(stored.map(\.name) == ["North", "extra"] && stored.first?.floor == 1)
  }

  @Test func willSaveObserversCanRevertAllChanges() throws {
    nonisolated(unsafe) let context = context
    let log = NotificationLog(context, will: { context.rollback() })
    context.insert(studio())
    try context.save()
    #expect(log.entries == ["will"])
    #expect(try context.fetchCount(FetchDescriptor<Studio>()) == 0)
  }

  @Test func didSaveObserversCanSaveAgain() throws {
    let model = studio()
    nonisolated(unsafe) let context = context
    nonisolated(unsafe) var wasClean = true
    let log = NotificationLog(
      context,
      did: {
        wasClean = wasClean && !context.hasChanges
        guard model.floor < 3 else { return }
        model.floor += 1
        try? context.save()
      })
    context.insert(model)
    try context.save()
    #expect(log.entries == ["will", "did", "will", "did", "will", "did", "will", "did"])
    #expect(wasClean && model.floor == 3)
    #expect(try fixture.fresh().fetch(FetchDescriptor<Studio>()).first?.floor == 3)
  }

  @Test func aTransactionPostsOnce() throws {
    let log = NotificationLog(context)
    try context.transaction {
      context.insert(studio("a"))
      try context.transaction { context.insert(studio("b")) }
    }
    #expect(log.entries == ["will", "did"])
  }

  @Test func savingWithoutChangesPostsNothing() throws {
    let log = NotificationLog(context)
    try context.save()
    let model = studio()
    context.insert(model)
    context.delete(model)
    try context.save()
    #expect(log.entries.isEmpty)
  }
}
