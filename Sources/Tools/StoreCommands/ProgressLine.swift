import SchemaCommands
import StoreTransfer
import Synchronization

/// A line on the terminal with the progress of a transfer: `exporting Trip: 42 %`.
final class ProgressLine: Sendable {
  private let title: String
  private let write: (@Sendable (String) -> Void)?
  /// The text on the terminal; empty if there is none.
  private let shown = Mutex("")

  /// - Parameter session: The line is only shown on a terminal.
  init(_ title: String, _ session: Session) {
    self.title = title
    write = session.isTerminal ? session.report : nil
  }

  /// Updates the line. Changes that are not visible are not written.
  var progress: TransferProgress {
    { [self] step in
      let amount =
        step.total.map { " \($0 == 0 ? 100 : step.done * 100 / $0) %" } ?? " \(step.done / 10_000)0,000 rows"
      show("\(title) \(step.name):\(amount)")
    }
  }

  private func show(_ text: String) {
    guard let write, shown.withLock({ old in old == text ? false : { old = text; return true }() }) else { return }
    // Returns to the beginning of the line and removes the rest of the old text.
    write("\r\(text)\u{1B}[K")
  }

  /// Removes the line.
  func end() {
    guard let write, shown.withLock({ old in !old.isEmpty }) else { return }
    shown.withLock { $0 = "" }
    write("\r\u{1B}[K")
  }
}
