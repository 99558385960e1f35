import Foundation
import Runtime
import Trellis

/// Records the call stack of each statement of a save. In a process of its own, because walking a stack is unsafe while
/// concurrent threads map and unmap files.
final class SavingFlow: @unchecked Sendable {  // used by one thread
  private var stacks: [(sql: String, stack: Backtrace)] = []
  private var isRecording = false

  /// Saves insertions, and a deletion whose cascade finds rows of another context.
  ///
  /// - Parameter url: the store; nil for a store in memory.
  func run(_ url: URL?) throws {
    let schema = Schema([Account.self, Entry.self])
    var configuration =
      url.map { ModelConfiguration(schema: schema, url: $0) }
      ?? ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    configuration.trace = { [self] statement in
      guard isRecording, let stack = try? Backtrace.capture() else { return }
      stacks.append((statement.sql, stack))
    }
    let container = try ModelContainer(for: schema, configurations: [configuration])
    let (context, other) = (ModelContext(container), ModelContext(container))
    let account = Account(name: "a")
    context.insert(account)
    for number in 0..<3 { context.insert(Entry(text: "\(number)", account: account)) }
    try save(context)
    let theirs = try other.fetch(FetchDescriptor<Account>()).first
    other.insert(Entry(text: "late", account: theirs))
    try other.save()
    context.delete(account)
    try save(context)
  }

  private func save(_ context: ModelContext) throws {
    isRecording = true
    defer { isRecording = false }
    try context.save()
  }

  /// A line per statement: its first word, and the parts of the runtime that called it, the outermost first.
  var lines: [String] {
    stacks.map { sql, stack in
      let paths = stack.symbolicated()?.frames.reversed().compactMap { $0.symbol?.sourceLocation?.path } ?? []
      let layers = paths.compactMap { path -> String? in
        if path.contains("/Runtime/Trellis/Context/") { return "context" }
        return path.contains("/Runtime/Trellis/Stores/") || path.contains("/Runtime/TrellisSQLite/") ? "store" : nil
      }
      let order = layers.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      return ([sql.prefix { $0 != " " }.description] + order).joined(separator: " ")
    }
  }
}
