import Foundation
public import TrellisPostgres

/// A simulated engine: its capabilities and the SQL that it rejects.
public struct EngineProfile: Sendable {
  public let name: String
  public let capabilities: Capabilities
  /// Rejected parts of statements, in upper case.
  let rejected: [String]

  /// Statement parts that the store must never use, for any engine.
  static let always = ["SAVEPOINT", "CREATE TEMP", "CREATE TRIGGER", "PG_ADVISORY_LOCK", "SET SESSION", "SET LOCAL"]
  static let snapshots = [
    "PG_CURRENT_SNAPSHOT", "PG_VISIBLE_IN_SNAPSHOT", "XID8", "PG_CURRENT_XACT_ID", "PG_IS_IN_RECOVERY",
    "PG_WALFILE_NAME", "PG_LAST_WAL_REPLAY_LSN", "PG_POSTMASTER_START_TIME", "PG_CONTROL_SYSTEM",
    "LOCK TABLE", "PG_SNAPSHOT",
  ]
  static let signals = ["LISTEN ", "NOTIFY"]

  public static let cockroach = EngineProfile(
    name: "CockroachDB", capabilities: .cockroach,
    rejected: snapshots + signals + [
      "DEFERRABLE", "PG_ADVISORY", "COLLATE", " JSON", "INT8SEND", "TEXTSEND", "BOOLSEND", "FLOAT8SEND",
    ])
  public static let yugabyte = EngineProfile(
    name: "YugabyteDB", capabilities: .yugabyte, rejected: snapshots + signals + ["PG_ADVISORY"])
  public static let all = [cockroach, yugabyte]

  public func proxy(to server: PostgresServer) throws -> ProtocolProxy {
    let rejected = rejected + Self.always
    return try ProtocolProxy(to: server) { message in
      guard let text = message.sql?.uppercased(), let part = rejected.first(where: { text.contains($0) }) else {
        return .forward
      }
      return .reject(sqlState: "0A000", "unsupported: \(part) in \(text)")
    }
  }

  public func configuration(_ server: PostgresServer, _ proxy: ProtocolProxy) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(url: proxy.url())
    configuration.schemaName = server.configuration().schemaName
    configuration.engine = capabilities
    return configuration
  }
}

extension ProtocolProxy {
  /// The statements that the proxy has rejected.
  public var rejections: [String] {
    trace.compactMap { message in
      guard message.sender == .server, message.kind == .typed("E") else { return nil }
      let text = String(decoding: message.bytes, as: UTF8.self)
      return text.contains("rejected_by_proxy") ? text : nil
    }
  }
}
