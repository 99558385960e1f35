/// The `userInfo` of a ``ModelContext/didSave`` notification.
///
/// Its keys are the same for every save, and an enumeration's case has the hash value of its raw value:
/// to look all of them up costs more than to write a row. A copy of a dictionary has the places of
/// the original.
enum SaveNotification {
  private typealias Info = [AnyHashable: Any]

  private struct Template: @unchecked Sendable {  // holds empty sets of identifiers
    var info: Info = [:]
    var inserted: [Info.Index] = []
    var updated: [Info.Index] = []
    var deleted: [Info.Index] = []
    var tokens: [Info.Index] = []

    init(hasTokens: Bool) {
      let keys: [ModelContext.NotificationKey] = [
        .insertedIdentifiers, .updatedIdentifiers, .deletedIdentifiers,
      ]
      for key in keys {
        info[key] = Set<PersistentIdentifier>()
        info[key.rawValue] = Set<PersistentIdentifier>()
      }
      if hasTokens {
        let key = ModelContext.NotificationKey.historyTokens
        info[key] = [String: any HistoryToken]()
        info[key.rawValue] = [String: any HistoryToken]()
      }
      func places(_ key: ModelContext.NotificationKey) -> [Info.Index] {
        [info.index(forKey: key), info.index(forKey: key.rawValue)].compactMap { $0 }
      }
      inserted = places(.insertedIdentifiers)
      updated = places(.updatedIdentifiers)
      deleted = places(.deletedIdentifiers)
      if hasTokens { tokens = places(.historyTokens) }
    }
  }

  private static let plain = Template(hasTokens: false)
  private static let withTokens = Template(hasTokens: true)

  static func info(
    inserted: [PersistentIdentifier], updated: [PersistentIdentifier],
    deleted: [PersistentIdentifier], tokens: [String: any HistoryToken] = [:]
  ) -> [AnyHashable: Any] {
    let template = tokens.isEmpty ? plain : withTokens
    var info = template.info
    for place in template.tokens { info.values[place] = tokens }
    for (identifiers, places) in [
      (inserted, template.inserted), (updated, template.updated), (deleted, template.deleted),
    ] where !identifiers.isEmpty {
      let identifiers = Set(identifiers)
      for place in places { info.values[place] = identifiers }
    }
    return info
  }
}
