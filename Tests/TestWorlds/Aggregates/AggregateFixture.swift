import Foundation
import TestSupport
import Trellis

/// A container for this target's models, and its contexts.
final class AggregateFixture {
  static let schema = Schema([Probe.self, Customer.self])

  let container: ModelContainer
  let context: ModelContext
  /// The fixture retains its contexts.
  private var others: [ModelContext] = []

  init(_ configuration: any DataStoreConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)) throws {
    container = try ModelContainer(for: Self.schema, configurations: [configuration])
    context = ModelContext(container)
  }

  /// A new context that has no registered models.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    others.append(context)
    return context
  }

  /// A context in which every model is changed, so that results are computed from models instead of the store.
  func touched() throws -> ModelContext {
    let context = fresh()
    for model in try context.fetch(FetchDescriptor<Probe>()) { model.number += 0 }
    return context
  }
}

extension ModelContext {
  /// True if the store computed the result and registered no models.
  var isUntouched: Bool { debugDescription.hasSuffix("registered: 0)") }
}
