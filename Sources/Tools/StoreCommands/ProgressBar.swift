import Foundation
import SchemaDriver
package import StoreTransfer
import Synchronization

/// A progress bar on standard error. It is silent if standard error is not a terminal.
package final class ProgressBar: Sendable {
  private struct State {
    var last: ContinuousClock.Instant?
    var isShown = false
  }

  private let isTerminal: Bool
  private let state = Mutex(State())

  package init(isTerminal: Bool = isatty(STDERR_FILENO) == 1) { self.isTerminal = isTerminal }

  /// Shows a step, at most ten times per second.
  package var update: TransferProgress {
    guard isTerminal else { return { _ in } }
    return { [self] step in
      state.withLock { state in
        let now = ContinuousClock.now
        if let last = state.last, now - last < .milliseconds(100) { return }
        state.last = now
        state.isShown = true
        _ = StandardStream.write("\r\u{1B}[K\(Self.text(step))", to: STDERR_FILENO)
      }
    }
  }

  /// Removes the bar before further output.
  package func clear() {
    state.withLock { state in
      if state.isShown { _ = StandardStream.write("\r\u{1B}[K", to: STDERR_FILENO) }
      state = State()
    }
  }

  static func text(_ step: TransferStep) -> String {
    guard let total = step.total, total > 0 else { return "\(step.phase.rawValue) \(step.name)" }
    let part = min(1, Double(step.done) / Double(total))
    let filled = Int(part * 20)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
    return "[\(bar)] \(Int(part * 100)) % \(step.phase.rawValue) \(step.name)"
  }
}
