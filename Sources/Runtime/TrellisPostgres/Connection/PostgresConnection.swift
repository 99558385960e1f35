import CPostgres
import Foundation
package import Trellis

/// A server connection, used by one thread at a time.
///
/// Statements are sent in libpq's pipeline mode: all in a single round trip, with results arriving one by one.
package final class PostgresConnection: @unchecked Sendable {  // one thread has taken it from the pool
  let handle: OpaquePointer
  /// The server, for error messages.
  private let place: String
  /// The longest wait for a response.
  private var answerLimit: Duration
  private let trace: StatementTrace?
  /// Statements to report after the round trip.
  private var ended: [(sql: String, duration: Duration, rows: Int)] = []
  /// False if statements are not prepared.
  var preparesStatements: Bool
  /// Prepared statement names by statement text.
  private var prepared: [String: String] = [:]
  private var preparedCount = 0
  /// The maximum number of statements that the server keeps between round trips.
  private static let mostPrepared = 256
  /// The prefix for prepared statement names. Behind a pooler, several connections share a server session, in which
  /// equal names would collide.
  private let prefix = String(UInt64.random(in: .min ... .max), radix: 36)
  /// True after an error for a statement that was prepared in a different session, which shows that there is a pooler.
  private(set) var lacksSession = false
  /// True after an error for a statement that was prepared before a table was changed. A new session prepares it
  /// again.
  private(set) var hasStalePlans = false
  /// True after an error that ends the connection.
  private(set) var isBroken = false
  /// The server and its instance; `nil` until the store requests them. See ``PostgresStore/server(of:)``.
  var server: String?
  /// The time when the connection was last used.
  var lastUse = ContinuousClock.now

  /// Connects to the server.
  ///
  /// - Throws: ``PostgresError/Code/connectionFailed``.
  init(
    _ address: ConnectionAddress, answerTimeout: Duration, preparesStatements: Bool, _ trace: StatementTrace? = nil
  ) throws {
    place = address.place
    self.trace = trace
    answerLimit = answerTimeout
    self.preparesStatements = preparesStatements
    handle = try address.connect()
    // Server notices are not errors, and libpq would print them.
    PQsetNoticeReceiver(handle, { _, _ in }, nil)
    PQsetnonblocking(handle, 1)
    PQenterPipelineMode(handle)
  }

  deinit { PQfinish(handle) }

  /// True between BEGIN and the end of the transaction.
  var isInTransaction: Bool { !beginning.isEmpty || PQtransactionStatus(handle) == PQTRANS_INTRANS }

  /// The statements that begin a transaction, which are sent together with the next statements.
  private var beginning: [PostgresStatement] = []

  /// Begins a transaction without a round trip.
  func begin(_ statements: [PostgresStatement]) { beginning = statements }

  /// Rolls back the current transaction, if any.
  func rollBack() {
    guard !isBroken else { return }
    guard beginning.isEmpty else { return beginning = [] }
    if PQtransactionStatus(handle) != PQTRANS_IDLE { try? run([.rollback]) }
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  func transaction<Result>(_ beginning: PostgresStatement, _ body: () throws -> Result) throws -> Result {
    begin([beginning])
    do {
      let result = try body()
      try run([.commit])
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// The server version, for example 150018.
  var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// Sends statements in one round trip and waits for the results.
  ///
  /// - Parameter row: Called for each result row, with the statement's index.
  /// - Throws: The ``PostgresError`` of the first statement that fails. The server skips all statements after it.
  func run(
    _ statements: [PostgresStatement], row: (_ statement: Int, _ row: ResultRow) throws -> Void = { _, _ in }
  ) throws {
    guard !statements.contains(where: \.parameters.hasNullCharacter) else {
      throw PostgresError(
        .nullCharacter, "a string contains U+0000, which PostgreSQL cannot store: remove the character")
    }
    let begun = beginning.count
    if begun > 0 {
      let all = beginning + statements
      beginning = []
      return try run(all) { if $0 >= begun { try row($0 - begun, $1) } }
    }
    defer {
      lastUse = .now
      let reported = ended
      ended = []
      for statement in reported { trace?.report(statement.sql, .other, statement.duration, rows: statement.rows) }
    }
    do {
      try releaseStatements()
      // COPY is not allowed in a pipeline, so it runs between two pipelines.
      var start = 0
      for (index, statement) in statements.enumerated() {
        guard let rows = statement.copiedRows else { continue }
        try pipeline(statements, start..<index, row)
        let begin = ContinuousClock.now
        let count = try copy(statement, rows)
        if trace != nil { ended.append((statement.text, begin.duration(to: .now), count)) }
        start = index + 1
      }
      try pipeline(statements, start..<statements.count, row)
    } catch let error as PostgresError {
      if error.endsConnection { isBroken = true }
      if error.isStatementOfOtherSession {
        lacksSession = true
        preparesStatements = false
        prepared = [:]
      }
      if error.isStalePlan { hasStalePlans = true }
      throw error
    }
  }

  private func pipeline(
    _ statements: [PostgresStatement], _ range: Range<Int>, _ row: (Int, ResultRow) throws -> Void
  ) throws {
    guard !range.isEmpty else { return }
    try receive(try send(statements, range), statements, row)
  }

  /// Runs a single statement.
  func run(_ statement: PostgresStatement, row: (ResultRow) throws -> Void) throws {
    try run([statement]) { try row($1) }
  }

  /// Runs a query.
  ///
  /// - Parameter read: Returns the value for a row; `nil` to omit it.
  func rows<Value>(_ query: PostgresStatement, _ read: (ResultRow) throws -> Value?) throws -> [Value] {
    var values: [Value] = []
    try run(query) { if let value = try read($0) { values.append(value) } }
    return values
  }

  /// Runs a query that is not prepared, because it runs once.
  package func rows<Value>(_ query: SQLFragment, _ read: (ResultRow) throws -> Value?) throws -> [Value] {
    try rows(PostgresStatement(query, isPrepared: false), read)
  }

  /// Runs a query that returns two row numbers.
  func pairs(_ query: SQLFragment) throws -> [(Int64, Int64)] {
    try rows(query) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) }
  }

  /// Runs statements that are not prepared, because they run once.
  package func execute(_ statements: [SQLFragment]) throws {
    try run(statements.map { PostgresStatement($0, isPrepared: false) })
  }

  /// Runs `body` with a different response timeout.
  func waiting<Result>(for limit: Duration, _ body: () throws -> Result) rethrows -> Result {
    let former = answerLimit
    answerLimit = limit
    defer { answerLimit = former }
    return try body()
  }

  /// Checks that the server responds within a limit.
  func validate(within limit: Duration) throws {
    try waiting(for: min(limit, answerLimit)) { try execute(["SELECT 1"]) }
  }

  // MARK: sending

  /// The expected responses to statements; a preparation has a separate response.
  private typealias Expected = [(statement: Int, isPreparation: Bool)]

  private func send(_ statements: [PostgresStatement], _ range: Range<Int>) throws -> Expected {
    var expected: Expected = []
    for index in range {
      let statement = statements[index]
      let isPrepared = preparesStatements && statement.isPrepared
      let name = prepared[statement.key] ?? "t\(prefix)_\(preparedCount)"
      if isPrepared, prepared.updateValue(name, forKey: statement.key) == nil {
        preparedCount += 1
        let types = statement.parameters.types
        try check(PQsendPrepare(handle, name, statement.text, Int32(types.count), types))
        expected.append((index, isPreparation: true))
      }
      try check(
        statement.parameters.withValues { count, types, values, lengths, formats in
          if isPrepared {
            PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
          } else {
            PQsendQueryParams(handle, statement.text, count, types, values, lengths, formats, 1)
          }
        })
      expected.append((index, isPreparation: false))
    }
    try check(PQpipelineSync(handle))
    try flush()
    return expected
  }

  /// Deallocates all prepared statements if there are more than the limit.
  private func releaseStatements() throws {
    // Only outside of transactions, because an error would abort a transaction.
    guard prepared.count > Self.mostPrepared, PQtransactionStatus(handle) == PQTRANS_IDLE else { return }
    prepared = [:]
    // An error, for example if a pooler renames statements, only means that the server keeps the statements longer.
    do {
      try pipeline([PostgresStatement("DEALLOCATE ALL", isPrepared: false)], 0..<1) { _, _ in }
    } catch let error as PostgresError where !error.endsConnection {}
  }

  /// Writes libpq's buffered data. Also reads, because a server that cannot send its responses stops reading.
  func flush() throws {
    while true {
      let rest = PQflush(handle)
      if rest == 0 { return }
      guard rest > 0 else { throw lost() }
      if try wait(for: Int16(POLLIN) | Int16(POLLOUT)) & Int16(POLLIN) != 0 { try check(PQconsumeInput(handle)) }
    }
  }

  // MARK: receiving

  private func receive(
    _ expected: Expected, _ statements: [PostgresStatement], _ row: (Int, ResultRow) throws -> Void
  ) throws {
    var failure: (any Error)?
    let current = ResultRow()
    var begin = ContinuousClock.now
    for answer in expected {
      current.begin()
      var rows = 0
      var isPrepared = !answer.isPreparation
      while let result = try nextResult() {
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK:
          rows = Int(PQntuples(result))
          guard failure == nil else { continue }
          do {
            for index in 0..<PQntuples(result) {
              current.move(to: result, index)
              try row(answer.statement, current)
            }
          } catch {
            failure = error
          }
        case PGRES_FATAL_ERROR:
          let error = PostgresError(result)
          if PQstatus(handle) != CONNECTION_OK { throw lost() }
          if failure == nil { failure = error }
        case PGRES_COMMAND_OK:
          isPrepared = true
          if trace != nil { rows = Int(String(cString: PQcmdTuples(result))) ?? 0 }
        case PGRES_PIPELINE_ABORTED, PGRES_EMPTY_QUERY: continue
        default:
          if PQstatus(handle) != CONNECTION_OK { throw lost() }
        }
      }
      // After an error, the server prepares no further statements in the pipeline.
      if !isPrepared { prepared[statements[answer.statement].key] = nil }
      if trace != nil, !answer.isPreparation {
        let end = ContinuousClock.now
        ended.append((statements[answer.statement].text, begin.duration(to: end), rows))
        begin = end
      }
    }
    try receiveSync()
    if let failure { throw failure }
  }

  private func receiveSync() throws {
    while let result = try nextResult() {
      defer { PQclear(result) }
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC { break }
    }
  }

  /// Returns the next result; `nil` after a statement's last result.
  func nextResult() throws -> OpaquePointer? {
    while PQisBusy(handle) != 0 {
      _ = try wait(for: Int16(POLLIN))
      try check(PQconsumeInput(handle))
    }
    if let result = PQgetResult(handle) { return result }
    if PQstatus(handle) != CONNECTION_OK { throw lost() }
    return nil
  }

  /// Waits until the socket is readable or writable, within the response timeout.
  private func wait(for events: Int16) throws -> Int16 {
    var socket = pollfd(fd: PQsocket(handle), events: events, revents: 0)
    let deadline = ContinuousClock.now + answerLimit
    while true {
      let ready = poll(&socket, 1, ContinuousClock.now.duration(to: deadline).pollTimeout)
      if ready > 0 { return socket.revents }
      if ready == 0 {
        guard ContinuousClock.now >= deadline else { continue }
        isBroken = true
        cancel()
        throw PostgresError(.answerTimeout, "\(place) did not answer within \(answerLimit)")
      }
      guard errno == EINTR else { throw lost() }
    }
  }

  /// Requests cancellation of the running statement, which would otherwise keep its locks. The connection is closed,
  /// so a late request is harmless.
  private func cancel() {
    guard let request = PQgetCancel(handle) else { return }
    nonisolated(unsafe) let own = request
    // libpq sends the request through a new connection, and has no timeout for it.
    Thread.detachNewThread {
      // Unlike the rest of libpq, `PQcancel` does not suppress SIGPIPE, which would end the process if the connection
      // is closed.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(own, &message, Int32(message.count))
      PQfreeCancel(own)
    }
  }

  /// True if the server closed the connection while it was idle. Determined without a round trip.
  ///
  /// If a save were sent over such a connection, the store would have to determine whether it was committed.
  var isClosed: Bool {
    var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    while poll(&socket, 1, 0) > 0 {
      // The server may send an error message before it closes the connection.
      guard PQconsumeInput(handle) != 0 else { return true }
    }
    return false
  }

  /// Waits for notifications on the session's channels.
  ///
  /// - Returns: True if there were notifications.
  /// - Throws: ``PostgresError/Code/connectionLost``.
  func waitForNotification(milliseconds: Int32) throws -> Bool {
    var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    guard poll(&socket, 1, milliseconds) > 0 else { return false }
    try check(PQconsumeInput(handle))
    var isNotified = false
    while let notification = PQnotifies(handle) {
      PQfreemem(notification)
      isNotified = true
    }
    return isNotified
  }

  func check(_ result: Int32) throws {
    if result == 0 { throw lost() }
  }

  private func lost() -> PostgresError {
    isBroken = true
    let message = String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .whitespacesAndNewlines)
    return PostgresError(.connectionLost, "the connection to \(place) was lost: \(message)")
  }
}

extension PostgresConnection {
  /// The header of copied rows: a signature, the flags and the extension length.
  private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  private static let trailer: [UInt8] = [0xFF, 0xFF]
  /// The buffer size at which copied rows are sent, in bytes.
  private static let part = 65_536

  /// Runs a `COPY` statement. libpq only allows it outside of pipelines.
  ///
  /// - Returns: The row count.
  /// - Throws: ``PostgresError``, before `rows` is called if ``PostgresError/refusesCopy``; errors thrown by `rows`.
  ///   The server stores none of the rows in that case.
  private func copy(_ statement: PostgresStatement, _ rows: PostgresStatement.CopiedRows) throws -> Int {
    try check(PQexitPipelineMode(handle))
    try check(PQsendQuery(handle, statement.text))
    try flush()
    var failure: (any Error)?
    var (sent, inserted) = (0, 0)
    if let refusal = try result(PGRES_COPY_IN) {
      failure = refusal
    } else {
      do {
        var bytes = Self.header
        try rows { columns in
          for row in 0..<(columns.first?.count ?? 0) {
            sent += 1
            bytes.appendBigEndian(Int16(truncatingIfNeeded: columns.count))
            for column in columns { column.copyValue(row, to: &bytes) }
            guard bytes.count >= Self.part else { continue }
            try put(bytes)
            bytes.removeAll(keepingCapacity: true)
          }
        }
        try put(bytes + Self.trailer)
        try check(PQputCopyEnd(handle, nil) < 0 ? 0 : 1)
      } catch {
        if isBroken { throw error }
        failure = error
        try check(PQputCopyEnd(handle, "the rows have an error") < 0 ? 0 : 1)
      }
      try flush()
      let refusal = try result(PGRES_COMMAND_OK) { inserted = Int(String(cString: PQcmdTuples($0))) ?? 0 }
      failure = failure ?? refusal
    }
    while let rest = try nextResult() { PQclear(rest) }
    try check(PQenterPipelineMode(handle))
    if let failure { throw failure }
    guard inserted == sent else { throw PostgresError.missingRow }
    return inserted
  }

  private func put(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var isSent: Int32 = 0
      while isSent == 0 {
        isSent = PQputCopyData(handle, start, Int32(bytes.count))
        try flush()
      }
      try check(isSent < 0 ? 0 : 1)
    }
  }

  /// Waits for a result. Returns an error unless the result has the expected status.
  private func result(
    _ status: ExecStatusType, _ read: (OpaquePointer) -> Void = { _ in }
  ) throws -> PostgresError? {
    guard let result = try nextResult() else {
      return PostgresError(.server, "the server did not answer a COPY statement")
    }
    defer { PQclear(result) }
    guard PQresultStatus(result) == status else { return PostgresError(result) }
    read(result)
    return nil
  }
}

extension Duration {
  /// The timeout for `poll` in milliseconds, rounded up.
  var pollTimeout: Int32 {
    guard self > .zero else { return 0 }
    guard self < .seconds(1_000_000) else { return .max }
    let (seconds, attoseconds) = components
    return Int32(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// The duration in seconds.
  var inSeconds: Double { self / .seconds(1) }
}
