/// The previous version's names for renamed declarations, according to renaming identifiers.
struct CoreDataRenames {
  /// The previous names of renamed declarations by current name.
  private(set) var entities: [String: String] = [:]
  private(set) var properties: [String: [String: String]] = [:]
  private(set) var notes: [ImportNote] = []

  /// Creates the renames for a model without versions, in which identifiers are previous names.
  init(_ model: CoreDataModel, path: String) {
    for entity in model.entities {
      entities[entity.name] = entity.identity.renaming
      for (name, identity, line) in entity.identities {
        properties[entity.name, default: [:]][name] = identity.renaming
        note(identity, "\(entity.name).\(name)", line, path)
      }
      note(entity.identity, entity.name, entity.line, path)
    }
  }

  /// - Parameter previous: The previous version; nil for the first version, whose identifiers refer to nothing.
  init(_ model: CoreDataModel, after previous: CoreDataModel?, path: String) {
    let old = previous?.entities ?? []
    for entity in model.entities {
      note(entity.identity, entity.name, entity.line, path)
      let before = Self.origin(entity.name, entity.identity, old.map { ($0.name, $0.identity) })
      if let before, before != entity.name { entities[entity.name] = before }
      if before == nil, let identifier = entity.identity.renaming, previous != nil {
        leadsNowhere(identifier, entity.name, entity.line, path)
      }
      let properties = old.first { $0.name == before }?.identities ?? []
      for (name, identity, line) in entity.identities {
        let title = "\(entity.name).\(name)"
        note(identity, title, line, path)
        let origin = Self.origin(name, identity, properties.map { ($0.name, $0.identity) })
        if let origin, origin != name { self.properties[entity.name, default: [:]][name] = origin }
        if origin == nil, let identifier = identity.renaming, before != nil {
          leadsNowhere(identifier, title, line, path)
        }
      }
    }
  }

  /// Finds the declaration with an equal identifier, otherwise the declaration named by the identifier. Hand-written
  /// identifiers contain the previous name even if the previous version has an identifier.
  private static func origin(
    _ name: String, _ identity: CoreDataIdentity, _ old: [(name: String, identity: CoreDataIdentity)]
  ) -> String? {
    let identifier = identity.renaming ?? name
    let same = old.first { ($0.identity.renaming ?? $0.name) == identifier }
    let named = old.first { $0.name == identifier }
    if identity.renaming == nil { return old.first { $0.name == name }?.name ?? same?.name }
    return (same ?? named)?.name
  }

  private mutating func note(_ identity: CoreDataIdentity, _ title: String, _ line: Int, _ path: String) {
    guard identity.isHandwritten, let identifier = identity.renaming else { return }
    notes.append(
      ImportNote(
        .check, path, line,
        "'renamingIdentifier' of '\(title)' is read as '\(identifier)'; Xcode uses 'elementID' and may have "
          + "ignored it", topic: CoreDataTopic.renaming.rawValue))
  }

  private mutating func leadsNowhere(_ identifier: String, _ title: String, _ line: Int, _ path: String) {
    notes.append(
      ImportNote(
        .check, path, line,
        "'\(title)' has the original name '\(identifier)', which is missing from the previous version",
        topic: CoreDataTopic.renaming.rawValue))
  }
}

extension CoreDataEntity {
  /// The identities of all attributes and relationships.
  fileprivate var identities: [(name: String, identity: CoreDataIdentity, line: Int)] {
    attributes.map { ($0.name, $0.identity, $0.line) } + relationships.map { ($0.name, $0.identity, $0.line) }
  }
}
