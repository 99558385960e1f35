import CPostgres

/// Rows for a `COPY … FROM STDIN`, column by column.
struct CopiedRows {
  let columns: [ColumnBuffer]
  let count: Int

  /// Sends all rows.
  func send(_ send: (UnsafeRawBufferPointer) throws -> Void) throws {
    var data = CopyData()
    try data.add(columns, send)
    try data.finish(send)
  }
}

/// The data of a `COPY … FROM STDIN` in binary form. It is sent in parts while rows are added.
struct CopyData {
  /// The beginning: a signature, the flags and the length of an extension.
  private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  private static let trailer: [UInt8] = [0xFF, 0xFF]
  /// The size from which on a part of the data is sent, in bytes.
  private static let part = 65_536

  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(2 * Self.part)
    bytes += Self.header
  }

  /// Adds rows.
  ///
  /// - Parameter send: called with each part of the data.
  mutating func add(_ columns: [ColumnBuffer], _ send: (UnsafeRawBufferPointer) throws -> Void) throws {
    let count = columns.first?.count ?? 0
    for row in 0..<count {
      bytes.appendBigEndian(Int16(truncatingIfNeeded: columns.count))
      for column in columns { column.copyValue(row, to: &bytes) }
      if bytes.count >= Self.part {
        try bytes.withUnsafeBytes(send)
        bytes.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Sends the rest.
  mutating func finish(_ send: (UnsafeRawBufferPointer) throws -> Void) throws {
    bytes += Self.trailer
    try bytes.withUnsafeBytes(send)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Thrown if the server does not copy rows into a table: one with row security, for example.
struct CopyRefused: Error {
  let cause: PostgresError
}

extension PostgresConnection {
  /// Runs a `COPY` statement. libpq allows it outside of pipelines only.
  ///
  /// - Returns: the number of rows the server has inserted.
  /// - Parameter body: calls the function it gets with the parts of the data. If it throws, the server has none of them.
  /// - Throws: ``CopyRefused``, before `body` is called; ``PostgresError``; the errors of `body`.
  func copy(
    _ statement: PostgresStatement, _ body: (_ send: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> Int {
    try check(PQexitPipelineMode(handle))
    try check(PQsendQuery(handle, statement.text))
    try flush()
    var failure: (any Error)?
    var inserted = 0
    if let refusal = try result(PGRES_COPY_IN) {
      // "feature not supported".
      failure = refusal.sqlState == "0A000" ? CopyRefused(cause: refusal) : refusal
    } else {
      do {
        try body(put)
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
    return inserted
  }

  private func put(_ part: UnsafeRawBufferPointer) throws {
    let bytes = part.assumingMemoryBound(to: CChar.self)
    var isSent = PQputCopyData(handle, bytes.baseAddress, Int32(part.count))
    while isSent == 0 {
      try flush()
      isSent = PQputCopyData(handle, bytes.baseAddress, Int32(part.count))
    }
    try check(isSent < 0 ? 0 : 1)
    try flush()
  }

  /// Waits for a result; nil if it has a status.
  private func result(
    _ status: ExecStatusType, _ read: (OpaquePointer) -> Void = { _ in }
  ) throws -> PostgresError? {
    guard let result = try nextResult() else {
      return PostgresError(.server, "the server has not answered a COPY statement")
    }
    defer { PQclear(result) }
    guard PQresultStatus(result) == status else { return PostgresError(result) }
    read(result)
    return nil
  }
}
