import Foundation
package import SchemaCommands
package import SchemaDriver
import Synchronization

/// The verb `lsp`: connects the server with the process's standard streams and the disk.
package enum LanguageServer: VerbImplementation {
  package typealias Description = LanguageServerVerb

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let inbox = Inbox()
    let reader = Thread { inbox.read(.standardInput) }
    reader.start()
    var state = ServerState(findHome: SchemaFolder.home(of:))
    var stamps = FolderStamps()
    while let event = inbox.next(after: stamps.nextCheck) {
      var effects: [ServerEffect]
      switch event {
      case .event(let event): effects = Server.handle(event, &state)
      case .cancelled(let id): effects = [.send(.failure(id, ResponseError(.requestCancelled, "cancelled")))]
      case .pause:
        effects = stamps.changed(state.folderNames).flatMap { Server.handle(.changed(folder: $0), &state) }
      }
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .send(let message): try FileHandle.standardOutput.write(contentsOf: MessageReader.framed(message))
        case .read(let folder):
          stamps.read(folder)
          effects += Server.handle(.read(folder: folder, LintedFolder.read(folder)), &state)
          if inbox.isEmpty { effects += Server.handle(.idle, &state) }
        case .exit(let status): return status
        }
      }
      if inbox.isEmpty {
        for case .send(let message) in Server.handle(.idle, &state) {
          try FileHandle.standardOutput.write(contentsOf: MessageReader.framed(message))
        }
      }
    }
    return .findings
  }
}

/// The messages that wait for the server. A thread reads them, so that a request can be cancelled before its turn.
private final class Inbox: Sendable {
  enum Entry {
    case event(ServerEvent)
    case cancelled(RequestID)
    /// No message arrived for a while.
    case pause
  }

  private struct Contents {
    var messages: [Data] = []
    var isAtEnd = false
  }

  private let contents = Mutex(Contents())
  private let arrival = DispatchSemaphore(value: 0)

  var isEmpty: Bool { contents.withLock { $0.messages.isEmpty } }

  func read(_ input: FileHandle) {
    var reader = MessageReader()
    while true {
      let bytes = input.availableData
      guard !bytes.isEmpty else { break }
      reader.append(bytes)
      do {
        while let message = try reader.next() {
          contents.withLock { $0.messages.append(message) }
          arrival.signal()
        }
      } catch { break }
    }
    contents.withLock { $0.isAtEnd = true }
    arrival.signal()
  }

  /// Returns the next message; nil at the end of the input.
  func next(after pause: TimeInterval) -> Entry? {
    while true {
      let isLate = arrival.wait(timeout: .now() + pause) == .timedOut
      let (message, rest, isAtEnd) = contents.withLock { contents in
        let message = contents.messages.isEmpty ? nil : contents.messages.removeFirst()
        return (message, contents.messages, contents.isAtEnd)
      }
      guard let message else {
        if isAtEnd { return nil }
        if isLate { return .pause }
        continue
      }
      if let id = try? IncomingMessage(message).id, Self.cancels(rest, id) { return .cancelled(id) }
      return .event(.message(message))
    }
  }

  private static func cancels(_ messages: [Data], _ id: RequestID) -> Bool {
    messages.contains { body in
      guard let message = try? IncomingMessage(body), message.method == "$/cancelRequest" else { return false }
      return (try? message.parameters(CancelParameters.self))?.id == id
    }
  }
}

/// Notices changes on disk, for editors that do not report them.
private struct FolderStamps {
  private var known: [String: FileStamps] = [:]
  let nextCheck: TimeInterval = 1

  mutating func read(_ folder: String) { known[folder] = FileStamps([folder], except: nil) }

  /// Returns the folders whose files have changed since they were read.
  mutating func changed(_ folders: [String]) -> [String] {
    folders.filter { folder in
      guard let before = known[folder] else { return false }
      return before != FileStamps([folder], except: nil)
    }
  }
}
