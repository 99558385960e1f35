import Foundation
import PostgresSupport
import Runtime
import Synchronization
import Testing
import Trellis
import TrellisPostgres

/// A context calls stores, and no store calls a context: shown by the call stack of each statement of a save.
@Suite struct SavingFlowTests {
  enum Place: CaseIterable { case file, memory, server }

  private final class Stacks: Sendable {
    private let stacks = Mutex<[(sql: String, stack: Backtrace)]>([])
    private let isRecording = Mutex(false)

    func record(_ statement: TracedStatement) {
      guard isRecording.withLock({ $0 }), let stack = try? Backtrace.capture() else { return }
      stacks.withLock { $0.append((statement.sql, stack)) }
    }

    func whileRecording(_ body: () throws -> Void) rethrows {
      isRecording.withLock { $0 = true }
      defer { isRecording.withLock { $0 = false } }
      try body()
    }

    /// The statements with the parts of the runtime that called them, the outermost first.
    var flows: [(sql: String, layers: [String])] {
      stacks.withLock { $0 }.map { sql, stack in
        let paths = stack.symbolicated()?.frames.reversed().compactMap { $0.symbol?.sourceLocation?.path } ?? []
        let layers = paths.compactMap { path -> String? in
          if path.contains("/Runtime/Trellis/Context/") { return "context" }
          let stores = ["Trellis/Stores/", "TrellisSQLite/", "TrellisPostgres/"]
          let isStore = stores.contains { path.contains("/Runtime/\($0)") }
          return isStore ? "store" : nil
        }
        return (sql, layers.reduce(into: []) { if $0.last != $1 { $0.append($1) } })
      }
    }
  }

  private func configuration(_ place: Place, _ scratch: Scratch, _ schema: Schema, _ stacks: Stacks) throws
    -> any DataStoreConfiguration
  {
    switch place {
    case .file:
      var file = ModelConfiguration(schema: schema, url: scratch.file("keeps.store"))
      file.trace = stacks.record
      return file
    case .memory:
      var memory = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
      memory.trace = stacks.record
      return memory
    case .server:
      var server = try PostgresServer.shared.get().configuration(schema: schema)
      server.trace = stacks.record
      return server
    }
  }

  @Test(arguments: Place.allCases) func noStoreCallsAContextDuringASave(_ place: Place) throws {
    let stacks = Stacks()
    let scratch = try Scratch()
    let schema = Schema([Keep.self, KeepPart.self, KeepScrew.self, KeepTag.self, KeepLid.self])
    let container = try ModelContainer(for: schema, configurations: [configuration(place, scratch, schema, stacks)])
    let (context, other) = (ModelContext(container), ModelContext(container))
    let keep = Keep(code: "a")
    context.insert(keep)
    for number in 0..<3 { context.insert(KeepPart(title: "\(number)", keep: keep)) }
    try stacks.whileRecording { try context.save() }
    // Another context adds rows that the delete rules of this one have to find.
    let theirs = try #require(try other.fetch(FetchDescriptor<Keep>()).first)
    other.insert(KeepPart(title: "late", keep: theirs))
    try other.save()
    context.delete(keep)
    try stacks.whileRecording { try context.save() }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<KeepPart>()) == 0)
    let flows = stacks.flows
    #expect(flows.contains { $0.sql.hasPrefix("SELECT") } && flows.contains { $0.sql.hasPrefix("DELETE") })
    for (sql, layers) in flows { #expect(layers == ["context", "store"], "\(sql)") }
  }
}
