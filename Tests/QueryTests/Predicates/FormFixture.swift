import Foundation
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// The statement that predicates with the same signature share, with the values of one of them.
struct SharedStatement {
  var sql: String
  var values: [SQLValue]

  /// Returns nil if the predicate is translated separately.
  init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ store: DefaultStore) throws {
    let fetch = try FetchQuery(Query(descriptor, EditingState()), store)
    guard let signed = fetch.query.predicate, let purpose = fetch.purpose(.keys),
      let text = fetch.shared(purpose, store.marks.generation)
    else { return nil }
    sql = text.sql.sql
    values = text.parameters.map { parameter in
      switch parameter {
      case .fixed(let value): value
      case .limit: .integer(Int64(fetch.query.limit ?? -1))
      case .offset: .integer(Int64(fetch.query.offset))
      case .captured(let number): signed.values[number]
      }
    }
  }

  /// Returns true if a predicate has a shared statement. Such a statement must equal the separate translation.
  static func check<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, _ store: DefaultStore
  ) throws -> Bool {
    guard let shared = try SharedStatement(descriptor, store) else { return false }
    let own = try FetchQuery(Query(descriptor, EditingState()), store).fragment(for: .keys)
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
