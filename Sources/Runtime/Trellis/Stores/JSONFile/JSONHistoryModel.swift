/// A model of earlier lines under the names of today.
struct JSONHistoryModel {
  let name: String
  private let former: String
  private let renamings: [JSONHistoryRenaming]

  /// - Parameter renamings: the earliest one first.
  /// - Returns: nil when the model is gone.
  init?(_ former: String, _ renamings: [JSONHistoryRenaming]) {
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
  func left(_ values: [String: [JSONHistoryLine.Value]]) -> [String: [JSONHistoryLine.Value]] {
    guard !renamings.isEmpty else { return values }
    var left: [String: [JSONHistoryLine.Value]] = [:]
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
final class JSONKeptNames {
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
