import Foundation

/// Replaces captured identifiers while a context evaluates a predicate.
///
///     let early = trip.persistentModelID       // temporary
///     try context.save()
///     #Predicate<Stop> { $0.trip?.persistentModelID == early }   // means the saved row
package final class CapturedIdentifiers: @unchecked Sendable {  // used by the context's calls only, on one thread
  private let current: (PersistentIdentifier) -> PersistentIdentifier
  /// Captured values and their replacements. An in-memory predicate reads them for each row.
  private var replaced: [(original: any IdentifierValue, current: any IdentifierValue)] = []

  package init(_ current: @escaping (PersistentIdentifier) -> PersistentIdentifier) { self.current = current }

  @TaskLocal package static var scope: CapturedIdentifiers?

  /// Returns the current identifier for a captured identifier.
  package static func current(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard identifier.isTemporary, let scope else { return identifier }
    return scope.current(identifier)
  }

  /// Returns a captured value with replaced identifiers.
  package static func current<V>(in value: V) -> V {
    guard let scope, let identifiers = value as? any IdentifierValue else { return value }
    return scope.replacement(identifiers) as? V ?? value
  }

  private func replacement<V: IdentifierValue>(_ value: V) -> V {
    // Comparing collections that share storage is fast, because the elements are not compared.
    for known in replaced {
      if let original = known.original as? V, original == value, let current = known.current as? V { return current }
    }
    let result = value.replacingIdentifiers(current)
    replaced.append((value, result))
    return result
  }

  /// Returns true if a value is a temporary identifier or a collection that contains one.
  static func holdsTemporary<V>(_ value: V) -> Bool { (value as? any IdentifierValue)?.holdsTemporary ?? false }
}

/// An identifier, or a value that contains identifiers.
protocol IdentifierValue: Equatable {
  var holdsTemporary: Bool { get }
  func replacingIdentifiers(_ current: (PersistentIdentifier) -> PersistentIdentifier) -> Self
}

extension PersistentIdentifier: IdentifierValue {
  var holdsTemporary: Bool { isTemporary }
  func replacingIdentifiers(_ current: (Self) -> Self) -> Self { current(self) }
}

extension Optional: IdentifierValue where Wrapped: IdentifierValue {
  var holdsTemporary: Bool { self?.holdsTemporary ?? false }

  func replacingIdentifiers(_ current: (PersistentIdentifier) -> PersistentIdentifier) -> Self {
    map { $0.replacingIdentifiers(current) }
  }
}

extension IdentifierValue where Self: Sequence, Element: IdentifierValue {
  var holdsTemporary: Bool { contains(where: \.holdsTemporary) }
}

extension IdentifierValue where Self: RangeReplaceableCollection, Element: IdentifierValue {
  func replacingIdentifiers(_ current: (PersistentIdentifier) -> PersistentIdentifier) -> Self {
    Self(map { $0.replacingIdentifiers(current) })
  }
}

extension Array: IdentifierValue where Element: IdentifierValue {}
extension ArraySlice: IdentifierValue where Element: IdentifierValue {}

extension Set: IdentifierValue where Element: IdentifierValue {
  func replacingIdentifiers(_ current: (PersistentIdentifier) -> PersistentIdentifier) -> Self {
    Set(map { $0.replacingIdentifiers(current) })
  }
}

extension Dictionary: IdentifierValue where Key: IdentifierValue, Value: Equatable {
  var holdsTemporary: Bool { keys.contains(where: \.holdsTemporary) }

  func replacingIdentifiers(_ current: (PersistentIdentifier) -> PersistentIdentifier) -> Self {
    Dictionary(map { ($0.replacingIdentifiers(current), $1) }, uniquingKeysWith: { first, _ in first })
  }
}
