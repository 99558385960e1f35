import Foundation
import Testing

@testable import Trellis

/// What the statement that predicates of one form share is for one of them.
struct SharedStatement {
  var sql: String
  var values: [SQLValue]

  /// Nil where the predicate is translated on its own.
  init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ store: DefaultStore) throws {
    let query = try Self.query(descriptor, store)
    guard let form = query.form, let predicate = descriptor.predicate,
      let purpose = query.purpose(.keys),
      let text = query.shared(purpose, store.marks.generation)
    else { return nil }
    sql = text.sql
    values = predicate.withExpression { _, place in
      text.parameters.map { parameter in
        switch parameter {
        case .fixed(let value): return value
        case .limit: return .integer(query.limit)
        case .offset: return .integer(Int64(query.offset))
        case .captured(let number):
          let (offset, type) = form.layout.parameters[number]
          return Self.value(type, place + offset)
        }
      }
    }
  }

  private static func value<P: CapturedParameter>(_: P.Type, _ place: UnsafeRawPointer) -> SQLValue {
    P.value(place).parameter
  }

  private static func query<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ store: DefaultStore
  ) throws -> FetchQuery<T> {
    FetchQuery(
      DataStoreFetchRequest(descriptor: descriptor, editingState: EditingState()),
      plan: try store.plans.plan(for: T._$definition), store: store)
  }

  /// Whether a predicate has such a statement; whenever it has one, that is what the translation of
  /// the predicate alone says, to the letter.
  static func check<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ store: DefaultStore
  ) throws -> Bool {
    guard let shared = try SharedStatement(descriptor, store) else { return false }
    let query = try query(descriptor, store)
    let own = try query.fragment(selecting: query.plan.key)
    guard shared.sql == own.text, shared.values == own.values else {
      throw Difference(
        description: """
          \(descriptor.predicate.map { "\($0)" } ?? "")
          shared: \(shared.sql) \(shared.values)
          own:    \(own.text) \(own.values)
          """)
    }
    return true
  }
}
