import Dispatch
import Foundation

/// Calls a function when the process is asked to end, instead of ending it: by Ctrl-C, a closed terminal or `kill`. The
/// second signal ends it.
final class EndSignals {
  private let sources: [any DispatchSourceSignal]

  init(_ end: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        signal(number, SIG_DFL)
        end()
      }
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}
