@testable import TestSupport
@testable import Trellis
@testable import TrellisStore

/// The contents of a store's tables in the notation of the matrix.
struct MatrixTablesView {
  let store: DefaultStore

  init?(_ container: ModelContainer) {
    guard let store = container.core.stores.first?.store as? DefaultStore else { return nil }
    self.store = store
  }

  /// The results of SQLite's integrity checks; empty if there are none.
  func complaints() throws -> [String] {
    try store.pool.exclusively { connection in
      try connection.rows("PRAGMA foreign_key_check").map { "\($0)" }
    }
  }

  func view(_ storage: [MatrixStorage], _ tag: Int) throws -> String {
    try store.pool.exclusively { connection in
      var others: [String: [String]] = [:]
      for table in Set(storage.flatMap(\.tables)) {
        for name in try names("SELECT name FROM \(name: table) WHERE tag = \(tag)", connection) {
          others[name] = others[name] ?? []
        }
      }
      for place in storage {
        for (from, to) in try pairs(place, tag, connection) {
          others[from, default: []].append(to)
          if !place.isOneWay, to != "?" { others[to, default: []].append(from) }
        }
      }
      let lines = others.map { name, others in
        others.isEmpty ? name : "\(name):\(others.sorted().joined(separator: ","))"
      }
      return lines.isEmpty ? "-" : lines.sorted().joined(separator: " ")
    }
  }

  private func names(_ fragment: SQLFragment, _ connection: Connection) throws -> [String] {
    try connection.rows(fragment).map { $0[0].name }
  }

  private func pairs(
    _ place: MatrixStorage, _ tag: Int, _ connection: Connection
  ) throws -> [(String, String)] {
    let fragment: SQLFragment
    switch place {
    case .column(let column, let table, let target, _):
      fragment = """
        SELECT a.name, b.name FROM \(name: table) a LEFT JOIN \(name: target) b
        ON b.id = a.\(name: column) WHERE a.tag = \(tag) AND a.\(name: column) IS NOT NULL
        """
    case .pairs(let table, let first, let second, let owners, let members, _):
      fragment = """
        SELECT a.name, b.name FROM \(name: table) p
        LEFT JOIN \(name: owners) a ON a.id = p.\(name: first)
        LEFT JOIN \(name: members) b ON b.id = p.\(name: second)
        WHERE a.tag = \(tag) OR a.tag IS NULL
        """
    }
    return try connection.rows(fragment).map { ($0[0].name, $0[1].name) }
  }
}

extension SQLFragment.StringInterpolation {
  fileprivate mutating func appendInterpolation(_ tag: Int) {
    appendInterpolation(value: .integer(Int64(tag)))
  }
}

extension SQLValue {
  fileprivate var name: String { if case .text(let name) = self { name } else { "?" } }
}

extension MatrixStorage {
  fileprivate var tables: [String] {
    switch self {
    case .column(_, let table, let target, _): [table, target]
    case .pairs(_, _, _, let owners, let members, _): [owners, members]
    }
  }

  fileprivate var isOneWay: Bool {
    switch self {
    case .column(_, _, _, let isOneWay), .pairs(_, _, _, _, _, let isOneWay): isOneWay
    }
  }
}
