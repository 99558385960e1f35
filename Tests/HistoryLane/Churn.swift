import Foundation
import TestSupport
import Trellis

enum Ledger {
  static func container(
    _ url: URL, _ configure: (inout ModelConfiguration) -> Void = { _ in }
  ) throws -> ModelContainer {
    let schema = Schema([Account.self, Entry.self])
    var configuration = ModelConfiguration(schema: schema, url: url)
    configure(&configuration)
    return try ModelContainer(for: schema, configurations: configuration)
  }

  /// Saves an account to the default store of this program or of a group.
  ///
  /// - Returns: The names of all accounts in the store.
  static func insert(_ name: String, inGroup group: String) throws -> String {
    let schema = Schema([Account.self, Entry.self])
    let container: ModelConfiguration.GroupContainer =
      switch group {
      case ".automatic": .automatic
      case ".none": .none
      default: .identifier(group)
      }
    let context = ModelContext(
      try ModelContainer(
        for: schema, configurations: ModelConfiguration(schema: schema, groupContainer: container)))
    context.insert(Account(name: name))
    try context.save()
    return try context.fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)])).map(\.name)
      .joined(separator: " ")
  }
}

/// Saves random changes until the process is killed. Prints a line when it starts.
struct Churn {
  private let context: ModelContext
  private var random: SeededGenerator

  init(_ container: ModelContainer, seed: UInt64) {
    context = ModelContext(container)
    random = SeededGenerator(seed: seed)
  }

  mutating func run() throws {
    var saves = 0
    while true {
      try step()
      try context.save()
      saves += 1
      if saves == 1 { FileHandle.standardOutput.write(Data("saved\n".utf8)) }
    }
  }

  private mutating func step() throws {
    var accounts = try context.fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)]))
    for _ in 0...Int.random(in: 0...3, using: &random) {
      let account = Account(name: "\(UInt64.random(in: 0...999_999, using: &random))")
      context.insert(account)
      for number in 0..<Int.random(in: 0...4, using: &random) {
        context.insert(Entry(text: "entry \(number)", account: account))
      }
    }
    accounts.shuffle(using: &random)
    for account in accounts.prefix(2) { account.edition += 1 }
    // Deletions balance insertions.
    for account in accounts.dropFirst(2).prefix(accounts.count > 40 ? 6 : 1) { context.delete(account) }
    if let entry = try context.fetch(FetchDescriptor<Entry>()).randomElement(using: &random),
      entry.account?.isDeleted == false
    {
      entry.account = accounts.first
    }
  }
}
