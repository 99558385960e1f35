import Foundation
import PostgresSupport
import TestSupport
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// A program that uses a store on one or more servers.
struct ClusterProgram {
  let container: ModelContainer

  /// - Parameters:
  ///   - schemaName: The store's schema in the database.
  ///   - servers: The cluster's servers; libpq connects to the one that accepts transactions.
  ///   - allowsSave: False for a program that only reads, which may use a standby.
  init(_ schemaName: String, on servers: PostgresServer..., allowsSave: Bool = true) throws {
    let hosts = servers.map(\.folder.path).joined(separator: ",")
    let isPrimary = allowsSave ? " target_session_attrs=read-write" : ""
    var configuration = PostgresConfiguration(url: "host=\(hosts) user=trellis dbname=postgres\(isPrimary)")
    configuration.schemaName = schemaName
    configuration.allowsSave = allowsSave
    container = try ModelContainer(
      for: Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self]),
      configurations: [configuration])
  }

  /// Saves one label in one transaction.
  func save(_ text: String) throws {
    let context = ModelContext(container)
    context.insert(DiffLabel(text: text, rows: []))
    try context.save()
  }

  /// The text of all labels, in ascending order.
  func texts() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<DiffLabel>()).map(\.text).sorted()
  }

  /// The transactions after a token, or all transactions without a token.
  func transactions(since token: DefaultHistoryToken? = nil, limit: Int = 0) throws -> [DefaultHistoryTransaction] {
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    if let token { descriptor.predicate = #Predicate { $0.token > token } }
    descriptor.fetchLimit = UInt64(limit)
    return try ModelContext(container).fetchHistory(descriptor)
  }

  func latestToken() throws -> DefaultHistoryToken? { try ModelContext(container).history.latestToken() }
}

/// A reader that fetches the history in pages and stores its token as JSON in between.
struct ClusterReader {
  private var token: Data?
  private(set) var seen: [Int64] = []

  /// - Returns: The number of transactions in the page.
  @discardableResult mutating func read(_ program: ClusterProgram, limit: Int) throws -> Int {
    let token = try token.map { try JSONDecoder().decode(DefaultHistoryToken.self, from: $0) }
    let page = try program.transactions(since: token, limit: limit)
    seen += page.map(\.id)
    if let last = page.last { self.token = try JSONEncoder().encode(last.token) }
    return page.count
  }
}
