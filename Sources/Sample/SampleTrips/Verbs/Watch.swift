import Dispatch
import Foundation
import Observation
import Trellis

/// `trips watch`
struct Watch: Verb {
  static let name = "watch"
  static let summary = "show what other programs change, while they do"
  static let discussion = """
    A line for each change: who, what, which trip; of one save at most \(most). Nothing is read until
    somebody has saved. Ctrl-C ends it.
    """
  static let options = [
    Option(name: "--count", value: "N", summary: "end after so many changes"),
    Option(name: "--for", value: "SECONDS", summary: "end after this time"),
  ]
  static let examples = ["watch", "watch --count 1"]

  /// The changes of one save that are shown.
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
    var reader = HistoryReader(container: container, token: try StayNews(container).now())
    session.console.print("Watching \(session.path)")
    var shown = 0
    repeat {
      // First ask to be told, then read: nothing is missed in between.
      withObservationTracking {
        _ = observer.eventCounter
      } onChange: {
        news.signal()
      }
      for transaction in try reader.next() {
        shown += try show(transaction, ChangeText(container), session.console)
      }
    } while shown < count ?? .max && news.wait(timeout: end) == .success && DispatchTime.now() < end
  }

  /// - Returns: how many changes there were.
  private func show(
    _ transaction: DefaultHistoryTransaction, _ text: ChangeText, _ console: Console
  ) throws -> Int {
    let author = console.styled((transaction.author ?? "somebody").printable, .cyan)
    guard transaction.isComplete else {
      console.print("\(author): saved without saying what")
      return 1
    }
    // What is deleted with a trip does not say which one it was.
    let trips = transaction.changes.filter { $0.changedPersistentIdentifier.entityName == "Trip" }
    let others = transaction.changes.filter { $0.changedPersistentIdentifier.entityName != "Trip" }
    for change in (trips + others).prefix(Self.most) {
      console.print("\(author): \(try text.text(change))")
    }
    let more = transaction.changes.count - Self.most
    if more > 0 { console.print("\(author): and \(more.of("more change", "more changes"))") }
    return transaction.changes.count
  }

  /// Reads on in a history.
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
