import Foundation

/// Replaces captured identifiers while a context evaluates a predicate.
///
///     let early = trip.persistentModelID       // temporary
///     try context.save()
///     #Predicate<Stop> { $0.trip?.persistentModelID == early }   // means the saved row
struct CapturedIdentifiers: @unchecked Sendable {  // only the context's own calls use it, on their thread
  let current: (PersistentIdentifier) -> PersistentIdentifier

  @TaskLocal static var scope: CapturedIdentifiers?

  /// The identifier that a captured one stands for.
  static func current(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard identifier.isTemporary, let scope else { return identifier }
    return scope.current(identifier)
  }

  /// A captured value with its identifiers replaced.
  static func current<V>(in value: V) -> V {
    guard isReplaceable(V.self), let scope else { return value }
    let replaced: Any? =
      switch value as Any {
      case let one as PersistentIdentifier: scope.current(one)
      case let all as [PersistentIdentifier]: all.map(scope.current)
      case let all as [PersistentIdentifier?]: all.map { $0.map(scope.current) }
      case let all as Set<PersistentIdentifier>: Set(all.map(scope.current))
      default: nil
      }
    return replaced as? V ?? value
  }

  /// Whether a value is a temporary identifier or a collection that contains one.
  static func holdsTemporary<V>(_ value: V) -> Bool {
    guard isReplaceable(V.self) else { return false }
    return switch value as Any {
    case let one as PersistentIdentifier: one.isTemporary
    case let all as [PersistentIdentifier]: all.contains(where: \.isTemporary)
    case let all as [PersistentIdentifier?]: all.contains { $0?.isTemporary == true }
    case let all as Set<PersistentIdentifier>: all.contains(where: \.isTemporary)
    default: false
    }
  }

  /// Whether values of the type are identifiers or collections of them.
  private static func isReplaceable(_ type: any Any.Type) -> Bool {
    type == PersistentIdentifier.self || type == PersistentIdentifier?.self || type == [PersistentIdentifier].self
      || type == [PersistentIdentifier?].self || type == Set<PersistentIdentifier>.self
  }
}

extension PredicateExpressions.Value: CheckedNode {
  func checked(_ bindings: PredicateBindings) throws -> Output { CapturedIdentifiers.current(in: value) }
}
