import Foundation
import Trellis

/// The store under test.
struct ConformanceStore {
  let configuration: any DataStoreConfiguration
  let declined: Set<ConformanceAllowance>
  let watched: (CallLog) -> any DataStoreConfiguration
  let breakSaves: (Bool) throws -> Void

  static let models: [any PersistentModel.Type] = [
    ConformanceAuthor.self, ConformanceBook.self, ConformanceShelf.self, ConformanceValues.self,
    ConformanceNode.self, ConformanceCountry.self, ConformanceCapital.self,
    ConformanceResident.self, ConformanceQueue.self, ConformanceTicket.self,
    ConformanceMedium.self, ConformanceFilm.self, ConformanceRecording.self,
    ConformanceConcert.self, ConformanceLoan.self, ConformanceMember.self,
  ]

  /// Creates a container for the store. Containers share the saved data.
  func container() throws -> ModelContainer {
    try ModelContainer(for: Schema(Self.models), configurations: [configuration])
  }

  /// Creates a container that records and verifies the store's results.
  func container(watching log: CallLog) throws -> ModelContainer {
    try ModelContainer(for: Schema(Self.models), configurations: [watched(log)])
  }

  func allows(_ allowance: ConformanceAllowance) -> Bool { declined.contains(allowance) }
}

/// A difference between an actual and an expected value.
struct Mismatch: Error {
  let operation: String
  let seen: String
  let expected: String
}

/// Throws ``Mismatch`` if the values differ.
///
/// - Parameter operation: The operation that returned the value.
func expect<Value: Equatable>(_ operation: String, _ seen: Value, _ expected: Value) throws {
  guard seen != expected else { return }
  throw Mismatch(operation: operation, seen: shown(seen), expected: shown(expected))
}

func expect(_ operation: String, _ isSo: Bool, _ expected: String) throws {
  guard !isSo else { return }
  throw Mismatch(operation: operation, seen: "a different result", expected: expected)
}

/// Runs an operation that must succeed. An error becomes a ``Mismatch``.
func attempt<R>(_ operation: String, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let mismatch as Mismatch {
    throw mismatch
  } catch {
    throw Mismatch(
      operation: operation, seen: "the error '\(error)'", expected: "success")
  }
}

/// Converts a value to text of limited length.
private func shown<Value>(_ value: Value) -> String {
  let text = String(describing: value)
  guard text.utf8.count > 400 else { return text.isEmpty ? "(nothing)" : text }
  return text.prefix(400) + "… (\(text.utf8.count) bytes)"
}

extension ModelContainer {
  /// Fetches all models in order, in a new context.
  func all<T: PersistentModel, Key: Comparable & Sendable>(
    _ key: any KeyPath<T, Key> & Sendable
  ) throws -> Models<T> {
    let context = ModelContext(self)
    return Models(try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(key)])), of: context)
  }
}

/// Models together with their context, which models do not retain.
final class Models<Model: PersistentModel>: RandomAccessCollection {
  private let models: [Model]
  private let context: ModelContext

  init(_ models: [Model], of context: ModelContext) {
    self.models = models
    self.context = context
  }

  var startIndex: Int { 0 }
  var endIndex: Int { withExtendedLifetime(context) { models.count } }
  subscript(position: Int) -> Model { models[position] }
}
