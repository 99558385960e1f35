package import SchemaCommands
package import SchemaDriver
import Foundation
import StoreCare
import StoreTransfer
import Trellis

/// `trellis-store studio`.
package enum OpenStudio: VerbImplementation {
  package typealias Description = StudioVerb

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let file = try store(arguments)
    if case .database = StoreAddress(file, session) { throw StoreAddress.refusal(of: Description.name) }
    let url = URL(fileURLWithPath: session.path(file))
    let own = session
    return try serve(
      { try StudioStore(url) }, with: { try StudioCompanions(url.path, arguments, own) }, at: file, arguments, &session)
  }

  /// Returns the only argument that is not an option.
  package static func store(_ arguments: Arguments) throws(DriverFailure) -> String {
    guard let store = arguments.files.first, arguments.files.count == 1 else {
      throw DriverFailure(["error: 'trellis studio' needs a store"], .usage)
    }
    return store
  }

  /// Shows a store until Ctrl-C.
  ///
  /// - Parameter place: The store's location without a password.
  package static func serve(
    _ open: () throws -> StudioStore, with findCompanions: () throws -> StudioCompanions, at place: String,
    _ arguments: Arguments, _ session: inout Session
  ) throws -> ExitStatus {
    let port = try port(arguments["--port"])
    let allowsWrites = arguments.has("--write")
    let store: StudioStore
    let companions: StudioCompanions
    let server: HTTPServer
    do {
      store = try open()
      companions = try findCompanions()
      server = try HTTPServer(port: port)
      if allowsWrites { try store.requireWritable() }
    } catch let error as TransferError {
      throw DriverFailure(["error: \(error)"], .usage)
    } catch let error as CareFailure {
      throw DriverFailure(["error: \(error)"], error.isAboutStore ? .findings : .usage)
    } catch let error as HTTPServerError {
      throw DriverFailure(["error: \(error)"], .usage)
    } catch let error as StudioError {
      throw DriverFailure(["error: \(error)"], .usage)
    } catch let error as SwiftDataError {
      throw DriverFailure(["error: \(error.explanation ?? error.description)"], .usage)
    }
    let access = StudioAccess(port: server.port, token: StudioAccess.randomToken(), allowsWrites: allowsWrites)
    let address = "http://127.0.0.1:\(server.port)/\(access.token)/"
    session.note("the studio shows \(place) at\n  \(address)\nuntil Ctrl-C\n")
    if !arguments.has("--no-open") { Browser.open(address) }
    let api = StudioAPI(store, companions, allowsWrites: allowsWrites)
    let signals = EndSignals { server.stop() }
    withExtendedLifetime(signals) { server.run(refusing: access.refusal, api.response) }
    store.close()
    return .clean
  }

  private static func port(_ text: String?) throws -> Int {
    guard let text else { return 0 }
    guard let port = Int(text), (1024...65_535).contains(port) else {
      throw DriverFailure(["error: '--port' must be a number from 1024 to 65535"], .usage)
    }
    return port
  }
}

extension StudioCompanions {
  fileprivate init(_ store: String, _ arguments: Arguments, _ session: Session) throws {
    self.init()
    if let other = arguments["--compare"] {
      try Self.requireOther(other, "--compare", than: store, session)
      comparison = try StoreComparison(
        URL(fileURLWithPath: store), with: URL(fileURLWithPath: session.path(other)))
    }
    if let schema = arguments["--schema"] { migration = try MigrationPreview(store, schema: schema, session) }
    if let file = arguments["--trace"] {
      // Closing a store's file would end SQLite's locks.
      try Self.requireOther(file, "--trace", than: store, session)
      trace = TraceFile(session.path(file))
    }
  }

  private static func requireOther(_ path: String, _ option: String, than store: String, _ session: Session) throws {
    guard let file = FileStamp(session.path(path)), FileStamp(store)?.isSameFile(as: file) == true else { return }
    throw DriverFailure(["error: '\(option)' must name another file than the store"], .usage)
  }
}

/// The desktop's browser.
private enum Browser {
  /// Opens a page, if the desktop has a browser. The address is printed anyway, so a failure is not reported.
  static func open(_ address: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    #if os(macOS)
      process.arguments = ["open", address]
    #else
      process.arguments = ["xdg-open", address]
    #endif
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}
