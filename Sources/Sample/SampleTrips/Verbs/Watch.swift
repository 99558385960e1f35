import Dispatch
import Foundation
import Observation
import Synchronization
import Trellis

/// `trips watch`: shows changes by concurrent processes as they happen.
struct Watch: Verb {
  static let name = "watch"
  static let summary = "show changes by concurrent processes as they happen"
  static let discussion = """
    Prints a line for each change: author, change and trip; at most \(most) lines per save. The history is
    read only after a save. Ctrl-C exits.
    """
  static let options = [
    Option(name: "--count", value: "N", summary: "exit after this number of changes"),
    Option(name: "--for", value: "SECONDS", summary: "exit after this time"),
  ]
  static let examples = ["watch", "watch --count 1"]

  /// The maximum number of changes to show per save.
  private static let most = 10

  private let count: Int?
  private let seconds: Int?

  init(_ arguments: Arguments) throws {
    try arguments.noOperands()
    count = try arguments.count("--count")
    seconds = try arguments.count("--for")
  }

  func run(_ session: Session) throws {
    let container = try session.historyContainer()
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    let news = DispatchSemaphore(value: 0)
    let end = seconds.map { DispatchTime.now() + .seconds($0) } ?? .distantFuture
    // By default, Ctrl-C ends the process while the store is open.
    let interruption = Interruption()
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      interruption.hasHappened.store(true, ordering: .releasing)
      news.signal()
    }
    source.resume()
    defer { source.cancel() }
    var reader = HistoryReader(container: container, token: try StayNews(container).now())
    session.console.print("Watching \(session.path)")
    var shown = 0
    repeat {
      // Register for changes before reading, so that no change is missed.
      withObservationTracking {
        _ = observer.eventCounter
      } onChange: {
        news.signal()
      }
      for transaction in try reader.next() {
        shown += try show(transaction, ChangeText(container), session.console)
      }
    } while shown < count ?? .max && news.wait(timeout: end) == .success && DispatchTime.now() < end
      && !interruption.hasHappened.load(ordering: .acquiring)
  }

  /// - Returns: The number of changes.
  private func show(
    _ transaction: DefaultHistoryTransaction, _ text: ChangeText, _ console: Console
  ) throws -> Int {
    let author = console.styled((transaction.author ?? "somebody").printable, .cyan)
    guard transaction.isComplete else {
      console.print("\(author): saved changes that were not recorded")
      return 1
    }
    // Models deleted together with a trip no longer refer to it.
    let trips = transaction.changes.filter { $0.changedPersistentIdentifier.entityName == "Trip" }
    let others = transaction.changes.filter { $0.changedPersistentIdentifier.entityName != "Trip" }
    for change in (trips + others).prefix(Self.most) {
      console.print("\(author): \(try text.text(change))")
    }
    let more = transaction.changes.count - Self.most
    if more > 0 { console.print("\(author): and \(more.of("more change", "more changes"))") }
    return transaction.changes.count
  }

  /// True after Ctrl-C.
  private final class Interruption: Sendable {
    let hasHappened = Atomic(false)
  }

  /// Reads a history incrementally.
  private struct HistoryReader {
    let container: ModelContainer
    var token: DefaultHistoryToken?

    mutating func next() throws -> [DefaultHistoryTransaction] {
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
      if let token { descriptor.predicate = #Predicate { $0.token > token } }
      let found = try ModelContext(container).fetchHistory(descriptor)
      token = found.last?.token ?? token
      return found
    }
  }
}
