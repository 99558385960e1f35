/// The `userInfo` of a context's ``ModelContext/didSave`` notifications.
///
/// The keys are the same for every save. Hashing all of them, or copying the dictionary, takes as long as writing a row. So
/// only values are replaced, in place if no observer has kept the last notification.
struct SaveNotification {
  typealias Info = [AnyHashable: Any]
  private typealias Tokens = [String: any HistoryToken]

  private var form: Form?
  private var info: Info = [:]
  /// The entries that are not as in the form.
  private var said: (inserted: Bool, updated: Bool, deleted: Bool) = (false, false, false)
  /// Where the histories of stores stand, by identifier of the store.
  private var tokens: Tokens = [:]
  private var noted = 0
  /// The only store of ``tokens``, which is the same from save to save.
  private var store = ""
  private var place: Tokens.Index?

  /// Sets of more identifiers are not kept until the next save.
  private static let kept = 256

  /// To be called before a save.
  mutating func begin() {
    // This value then holds the only reference to the tokens, so they are replaced in place.
    form?.tokens?.set(Tokens(), in: &info)
    noted = 0
  }

  /// What a store says of its history after the save.
  mutating func note(_ token: any HistoryToken, of store: String) {
    if noted > 0 {
      tokens[store] = token
      place = nil
    } else if let place, self.store == store {
      tokens.values[place] = token
    } else {
      tokens = [store: token]
      self.store = store
      place = tokens.index(forKey: store)
    }
    noted += 1
  }

  mutating func info(
    inserted: [PersistentIdentifier] = [], updated: [PersistentIdentifier],
    deleted: [PersistentIdentifier] = []
  ) -> Info {
    let form = form(hasTokens: noted > 0)
    form.inserted.say(inserted, after: &said.inserted, in: &info)
    form.updated.say(updated, after: &said.updated, in: &info)
    form.deleted.say(deleted, after: &said.deleted, in: &info)
    form.tokens?.set(tokens, in: &info)
    guard inserted.count + updated.count + deleted.count > Self.kept else { return info }
    let large = info
    self = Self()
    return large
  }

  private mutating func form(hasTokens: Bool) -> Form {
    if let form, (form.tokens != nil) == hasTokens { return form }
    let form = hasTokens ? Form.withTokens : Form.plain
    self.form = form
    said = (false, false, false)
    info = form.info
    return form
  }
}

extension SaveNotification {
  /// Where the entries lie: a copy of a dictionary has the places of the original.
  private final class Form: @unchecked Sendable {  // holds empty collections
    let info: Info
    let inserted: Entry
    let updated: Entry
    let deleted: Entry
    let tokens: Entry?

    static let plain = Form(hasTokens: false)
    static let withTokens = Form(hasTokens: true)

    private init(hasTokens: Bool) {
      var info: Info = [:]
      let none: [PersistentIdentifier] = []
      for key in [ModelContext.NotificationKey.insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers] {
        info[key] = Set(none)
        info[key.rawValue] = none
      }
      if hasTokens {
        info[ModelContext.NotificationKey.historyTokens] = Tokens()
        info[ModelContext.NotificationKey.historyTokens.rawValue] = Tokens()
      }
      inserted = Entry(.insertedIdentifiers, in: info)
      updated = Entry(.updatedIdentifiers, in: info)
      deleted = Entry(.deletedIdentifiers, in: info)
      tokens = hasTokens ? Entry(.historyTokens, in: info) : nil
      self.info = info
    }
  }

  /// The places of a value: under its key, and under the key's raw value. Programs expect a set of identifiers under the
  /// one and an array under the other.
  private struct Entry {
    private let key: Info.Index
    private let rawValue: Info.Index

    init(_ key: ModelContext.NotificationKey, in info: Info) {
      self.key = info.index(forKey: key) ?? info.endIndex
      rawValue = info.index(forKey: key.rawValue) ?? info.endIndex
    }

    func set(_ value: some Any, in info: inout Info) {
      info.values[key] = value
      info.values[rawValue] = value
    }

    /// - Parameter said: whether the last notification said anything here.
    func say(_ identifiers: [PersistentIdentifier], after said: inout Bool, in info: inout Info) {
      guard said || !identifiers.isEmpty else { return }
      info.values[key] = Set(identifiers)
      info.values[rawValue] = identifiers
      said = !identifiers.isEmpty
    }
  }
}
