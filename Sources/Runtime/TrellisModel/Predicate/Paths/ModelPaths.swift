import Synchronization

/// The key paths to a model's identifier. There are several unequal spellings.
struct ModelPaths: @unchecked Sendable {  // key paths without captured values, never written
  private let persistentModelID: AnyKeyPath
  let identifier: AnyKeyPath
  /// The default `id`, unless the model declares its own.
  private let defaultID: AnyKeyPath
  /// The `id` as spelled in generic code, through `Identifiable`.
  private let identifiable: AnyKeyPath
  /// The key paths to the identifier from an optional model.
  let chainedIdentifiers: [AnyKeyPath]
  /// True if the model declares its own `id`.
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

  // Creating a key path in generic code takes a microsecond, so it is done once per model.
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

  /// Returns true if a key path reads the identifier.
  func isIdentifier(_ keyPath: AnyKeyPath) -> Bool {
    keyPath == persistentModelID || keyPath == defaultID || keyPath == identifier
      || (!hasOwnID && keyPath == identifiable)
  }

  /// Returns the property named `id` if the key path is spelled through `Identifiable`.
  func ownIdentifier(_ keyPath: AnyKeyPath, _ definition: ModelDefinition) -> ModelProperty? {
    guard hasOwnID, keyPath == identifiable, let property = definition.layout.property(named: "id"),
      case .attribute(let type) = property.kind, type == Swift.type(of: keyPath).valueType
    else { return nil }
    return property
  }
}

/// Detects key paths that read an enum's raw value.
///
/// Such a key path has no name at run time and does not equal the key path spelled in generic code. It is therefore
/// compared with the key path spelled in generated code, or evaluated for every case of the enum.
enum RawValuePath {
  static func isRawValue(_ keyPath: AnyKeyPath, of type: any RawRepresentable.Type) -> Bool {
    if let path = (type as? any RawValuePathProviding.Type)?._$rawValuePath {
      return path == keyPath
    }
    guard let cases = type as? any (RawRepresentable & CaseIterable).Type else { return false }
    return readsRawValue(keyPath, of: cases)
  }

  private static func readsRawValue<R: RawRepresentable & CaseIterable>(
    _ keyPath: AnyKeyPath, of _: R.Type
  ) -> Bool {
    func isEqual<V: Equatable>(_ value: V, _ other: Any) -> Bool { other as? V == value }
    guard let keyPath = keyPath as? KeyPath<R, R.RawValue> else { return false }
    return R.allCases.allSatisfy { value in
      guard let raw = value.rawValue as? any Equatable else { return false }
      return isEqual(raw, value[keyPath: keyPath])
    }
  }
}

/// An enum that provides the raw value's key paths. Generated code adds the conformance.
public protocol RawValuePathProviding {
  static var _$rawValuePath: AnyKeyPath { get }
  /// The key path from an optional enum value.
  static var _$optionalRawValuePath: AnyKeyPath { get }
}

extension Schema {
  /// Returns the stored property names along a key path, for stores that translate predicates or sort descriptors.
  ///
  /// ```swift
  /// let names = [
  ///   Schema.propertyNames(along: \Trip.name),                               // ["name"]
  ///   Schema.propertyNames(along: \BucketListItem.trip?.name),               // ["trip", "name"]
  ///   Schema.propertyNames(along: \BucketListItem.trip?.persistentModelID),  // ["trip", "persistentModelID"]
  ///   Schema.propertyNames(along: \Trip.name.count),                         // nil
  /// ]
  /// ```
  ///
  /// For a member of a flattened struct, the result contains the struct's and the member's names. Not in SwiftData,
  /// where key paths cannot be identified.
  ///
  /// - Parameter keyPath: A key path from a model.
  /// - Returns: The names in path order; nil if the key path refers to a value that is not stored.
  public static func propertyNames<T: PersistentModel>(
    along keyPath: PartialKeyPath<T>
  ) -> [String]? {
    let definition = T._$definition
    if let property = definition.layout.property(for: keyPath) {
      return property.slot >= 0 ? [property.name] : nil
    }
    guard let path = SortPath.of(keyPath, definition), path.form == .value else { return nil }
    guard path.leaf != nil else { return path.names + ["persistentModelID"] }
    let member = path.leafPath.flatMap { path.owner(definition).layout.member(for: $0) }?.member
    return path.names + (member.map { [$0.name] } ?? [])
  }
}
