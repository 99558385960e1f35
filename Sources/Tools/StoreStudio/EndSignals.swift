import Dispatch
import Foundation

/// Calls a function when the process is asked to end, in place of ending it: by Ctrl-C, a closed terminal or `kill`.
final class EndSignals {
  private let sources: [any DispatchSourceSignal]

  init(_ end: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: end)
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}
