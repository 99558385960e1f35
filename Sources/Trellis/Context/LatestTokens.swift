/// The tokens of a context's last save as its notification hands them out, where there is one store.
///
/// The store is the same from save to save: to hash its identifier and make a dictionary each time costs a
/// tenth of what history costs a small save. Only the token is replaced, in place when nobody has kept the
/// notification.
struct LatestTokens {
  private var store = ""
  private var tokens: [String: any HistoryToken] = [:]
  private var place: [String: any HistoryToken].Index?

  mutating func replacing(_ token: any HistoryToken, of store: String) -> [String: any HistoryToken] {
    if let place, self.store == store {
      tokens.values[place] = token
    } else {
      self.store = store
      tokens = [store: token]
      place = tokens.index(forKey: store)
    }
    return tokens
  }
}
