import Foundation
import TestSupport
import Trellis

/// A container with every model of this target, and contexts on it.
final class AggregateFixture {
  static let schema = Schema([Measurement.self, Customer.self])

  let container: ModelContainer
  let context: ModelContext
  /// Contexts live as long as the fixture.
  private var others: [ModelContext] = []

  init(_ configuration: ModelConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)) throws
  {
    container = try ModelContainer(for: Self.schema, configurations: [configuration])
    context = ModelContext(container)
  }

  /// Another context of the container, which knows nothing yet.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    others.append(context)
    return context
  }

  /// A context in which every model counts as changed, so that models answer instead of the store.
  func touched() throws -> ModelContext {
    let context = fresh()
    for model in try context.fetch(FetchDescriptor<Measurement>()) { model.number += 0 }
    return context
  }
}

extension ModelContext {
  /// Whether no model was made: the store did the work.
  var isUntouched: Bool { debugDescription.hasSuffix("registered: 0)") }
}

