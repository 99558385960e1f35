import CPostgres

/// Rows for a `COPY … FROM STDIN`, column by column.
struct CopiedRows {
  let columns: [ColumnBuffer]
  let count: Int

  /// The beginning of the data in binary form: a signature, the flags and the length of an extension.
  private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  private static let trailer: [UInt8] = [0xFF, 0xFF]
  /// The size from which on a part of the data is sent, in bytes.
  private static let part = 65_536

  /// Calls `body` with the parts of the data.
  func visit(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var bytes = Self.header
    bytes.reserveCapacity(2 * Self.part)
    for row in 0..<count {
      bytes.appendBigEndian(Int16(columns.count))
      for column in columns { column.copyValue(row, to: &bytes) }
      if bytes.count >= Self.part {
        try bytes.withUnsafeBytes(body)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    bytes += Self.trailer
    try bytes.withUnsafeBytes(body)
  }
}

/// Thrown if the server does not copy rows into a table: one with row security, for example.
struct CopyRefused: Error {
  let cause: PostgresError
}

extension PostgresConnection {
  /// Sends rows to a `COPY` statement. libpq allows it outside of pipelines only.
  ///
  /// - Throws: ``CopyRefused``; ``PostgresError``.
  func copy(_ rows: CopiedRows, _ statement: String) throws {
    try check(PQexitPipelineMode(handle))
    try check(PQsendQuery(handle, statement))
    try flush()
    var failure = try result(PGRES_COPY_IN)
    if failure == nil {
      try rows.visit { part in
        let bytes = part.assumingMemoryBound(to: CChar.self)
        var isSent = PQputCopyData(handle, bytes.baseAddress, Int32(part.count))
        while isSent == 0 {
          try flush()
          isSent = PQputCopyData(handle, bytes.baseAddress, Int32(part.count))
        }
        try check(isSent < 0 ? 0 : 1)
        try flush()
      }
      try check(PQputCopyEnd(handle, nil) < 0 ? 0 : 1)
      try flush()
      failure = try result(PGRES_COMMAND_OK)
    }
    while let rest = try nextResult() { PQclear(rest) }
    try check(PQenterPipelineMode(handle))
    guard let failure else { return }
    // "feature not supported", before the first row.
    throw failure.sqlState == "0A000" ? CopyRefused(cause: failure) as any Error : failure
  }

  /// Waits for a result; nil if it has a status.
  private func result(_ status: ExecStatusType) throws -> PostgresError? {
    guard let result = try nextResult() else {
      return PostgresError(.server, "the server has not answered a COPY statement")
    }
    defer { PQclear(result) }
    return PQresultStatus(result) == status ? nil : PostgresError(result)
  }
}
