import Foundation
import Trellis

/// The store a check runs on.
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

  /// A container over the store; a second one sees what the first has saved.
  func container() throws -> ModelContainer {
    try ModelContainer(for: Schema(Self.models), configurations: [configuration])
  }

  /// A container over the store that looks at every answer the store gives.
  func container(watching log: CallLog) throws -> ModelContainer {
    try ModelContainer(for: Schema(Self.models), configurations: [watched(log)])
  }

  func allows(_ allowance: ConformanceAllowance) -> Bool { declined.contains(allowance) }
}

/// What was seen is not what was expected.
struct Mismatch: Error {
  let operation: String
  let seen: String
  let expected: String
}

/// Throws what was seen when it is not what was expected.
///
/// - Parameter operation: what was done to see it.
func expect<Value: Equatable>(_ operation: String, _ seen: Value, _ expected: Value) throws {
  guard seen != expected else { return }
  throw Mismatch(operation: operation, seen: shown(seen), expected: shown(expected))
}

func expect(_ operation: String, _ isSo: Bool, _ expected: String) throws {
  guard !isSo else { return }
  throw Mismatch(operation: operation, seen: "that it is not so", expected: expected)
}

/// Does what should succeed; an error is what was seen.
func attempt<R>(_ operation: String, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let mismatch as Mismatch {
    throw mismatch
  } catch {
    throw Mismatch(
      operation: operation, seen: "the error '\(error)'", expected: "that it succeeds")
  }
}

/// A value as text, not more of it than people read.
private func shown<Value>(_ value: Value) -> String {
  let text = String(describing: value)
  guard text.utf8.count > 400 else { return text.isEmpty ? "(nothing)" : text }
  return text.prefix(400) + "… (\(text.utf8.count) bytes)"
}

extension ModelContainer {
  /// Every model of a type, ordered, in a context of its own.
  func all<T: PersistentModel, Key: Comparable & Sendable>(
    _ key: any KeyPath<T, Key> & Sendable
  ) throws -> Models<T> {
    let context = ModelContext(self)
    return Models(try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(key)])), of: context)
  }
}

/// Models and their context, which they do not keep themselves.
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
