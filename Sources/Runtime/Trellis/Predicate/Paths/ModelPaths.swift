import Synchronization

/// The key paths of a model's identity: several spellings, none of which equals another.
struct ModelPaths: @unchecked Sendable {  // key paths without captured values, never written
  private let persistentModelID: AnyKeyPath
  let identifier: AnyKeyPath
  /// The `id` every model has, unless it declares its own.
  private let defaultID: AnyKeyPath
  /// `id` as generic code spells it, through `Identifiable`.
  private let identifiable: AnyKeyPath
  /// The key paths to the identifier from an optional of the model.
  let chainedIdentifiers: [AnyKeyPath]
  /// Whether the model declares its own `id`.
  private let hasOwnID: Bool

  private init<M: PersistentModel>(_: M.Type) {
    let defaultID: KeyPath<M, PersistentIdentifier> = \M.id
    self.persistentModelID = \M.persistentModelID
    self.identifier = \M._$identifier
    self.defaultID = defaultID
    self.identifiable = Self.spelled(M.self)
    let chainedID: KeyPath<M?, PersistentIdentifier?> = \M?.?.id
    self.chainedIdentifiers = [\M?.?.persistentModelID, chainedID, \M?.?._$identifier]
    self.hasOwnID = M.ID.self != PersistentIdentifier.self
  }

  private static func spelled<I: Identifiable>(_: I.Type) -> AnyKeyPath { \I.id }

  // Forming a key path in generic code costs a microsecond, so it is done once for each model.
  private static let cache = Mutex<[ObjectIdentifier: ModelPaths]>([:])

  static func of(_ type: any PersistentModel.Type) -> ModelPaths {
    let key = ObjectIdentifier(type)
    if let paths = cache.withLock({ $0[key] }) { return paths }
    let paths = ModelPaths(type)
    cache.withLock { $0[key] = paths }
    return paths
  }

  /// The key paths to the identifier.
  var identifiers: [AnyKeyPath] { [persistentModelID, defaultID, identifier] }

  /// Whether a key path reads the identifier.
  func isIdentifier(_ keyPath: AnyKeyPath) -> Bool {
    keyPath == persistentModelID || keyPath == defaultID || keyPath == identifier
      || (!hasOwnID && keyPath == identifiable)
  }

  /// The property called `id`, when it is reached the way `Identifiable` spells it.
  func ownIdentifier(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> ModelProperty? {
    guard hasOwnID, keyPath == identifiable, let property = definition.layout.property(named: "id"),
      case .attribute(let type) = property.kind, type == Swift.type(of: keyPath).valueType
    else { return nil }
    return property
  }
}
