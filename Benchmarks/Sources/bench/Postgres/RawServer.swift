import CPostgresRaw
import Foundation

/// A connection to a PostgreSQL server that uses libpq's functions.
final class RawServer {
  private let connection: OpaquePointer

  init(_ url: String) throws {
    guard let connection = PQconnectdb(url), PQstatus(connection) == CONNECTION_OK else {
      throw RawFailure(description: "cannot connect to the PostgreSQL server")
    }
    self.connection = connection
  }

  deinit { PQfinish(connection) }

  /// Parameters in binary form.
  struct Parameters {
    private(set) var types: [UInt32] = []
    private var lengths: [Int32] = []
    private var bytes: [UInt8] = []

    mutating func add(_ key: Int64) {
      types.append(20)
      lengths.append(8)
      bytes.add(key)
    }

    mutating func add(_ number: Double) {
      types.append(701)
      lengths.append(8)
      bytes.add(number.bitPattern)
    }

    mutating func add(_ flag: Bool) {
      types.append(16)
      lengths.append(1)
      bytes.append(flag ? 1 : 0)
    }

    mutating func add(_ text: String?) {
      types.append(25)
      lengths.append(Int32(text?.utf8.count ?? -1))
      bytes += (text ?? "").utf8
    }

    mutating func add(_ keys: [Int64]) {
      types.append(1016)
      lengths.append(Int32(20 + 12 * keys.count))
      for header in [1, 0, 20, Int32(keys.count), 1] as [Int32] { bytes.add(header) }
      for key in keys {
        bytes.add(Int32(8))
        bytes.add(key)
      }
    }

    fileprivate func call<Result>(
      _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
    ) -> Result {
      bytes.withUnsafeBytes { bytes in
        var next = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        var values: [UnsafePointer<CChar>?] = []
        for length in lengths {
          values.append(length < 0 ? nil : next)
          next = next.map { $0 + Int(max(length, 0)) }
        }
        return body(
          Int32(lengths.count), values, lengths.map { max($0, 0) }, [Int32](repeating: 1, count: lengths.count))
      }
    }
  }

  /// Runs a statement and calls `row` with the binary result and each row number.
  func run(
    _ text: String, _ parameters: Parameters = Parameters(), row: (RawResult, Int32) throws -> Void = { _, _ in }
  ) throws {
    let result = parameters.call { count, values, lengths, formats in
      PQexecParams(connection, text, count, parameters.types, values, lengths, formats, 1)
    }
    defer { PQclear(result) }
    try check(result)
    guard let result else { return }
    let rows = RawResult(result: result)
    for number in 0..<PQntuples(result) { try row(rows, number) }
  }

  func prepare(_ name: String, _ text: String) throws {
    let result = PQprepare(connection, name, text, 0, nil)
    defer { PQclear(result) }
    try check(result)
  }

  /// Runs prepared statements in a single round trip.
  func pipeline(_ statements: [(name: String, parameters: Parameters)]) throws {
    PQenterPipelineMode(connection)
    defer { PQexitPipelineMode(connection) }
    for statement in statements {
      _ = statement.parameters.call { count, values, lengths, formats in
        PQsendQueryPrepared(connection, statement.name, count, values, lengths, formats, 1)
      }
    }
    PQpipelineSync(connection)
    for _ in statements {
      while let result = PQgetResult(connection) {
        defer { PQclear(result) }
        try check(result)
      }
    }
    while let result = PQgetResult(connection) {
      defer { PQclear(result) }
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC { break }
    }
  }

  /// Copies rows in binary form.
  func copy(_ text: String, _ rows: (inout [UInt8], _ flush: (inout [UInt8]) -> Void) -> Void) throws {
    PQclear(PQexec(connection, text))
    var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    func flush(_ bytes: inout [UInt8]) {
      bytes.withUnsafeBytes { part in
        _ = PQputCopyData(connection, part.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(part.count))
      }
      bytes.removeAll(keepingCapacity: true)
    }
    rows(&bytes) { if $0.count > 65_536 { flush(&$0) } }
    bytes.add(Int16(-1))
    flush(&bytes)
    PQputCopyEnd(connection, nil)
    while let result = PQgetResult(connection) {
      defer { PQclear(result) }
      try check(result)
    }
  }

  private func check(_ result: OpaquePointer?) throws {
    let status = PQresultStatus(result)
    guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
      throw RawFailure(description: String(cString: PQerrorMessage(connection)))
    }
  }
}

/// A result's binary values.
struct RawResult {
  fileprivate let result: OpaquePointer

  private func value<T: FixedWidthInteger>(_ row: Int32, _ column: Int32, _: T.Type) -> T {
    guard let bytes = PQgetvalue(result, row, column) else { return 0 }
    return T(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: T.self))
  }

  func key(_ row: Int32, _ column: Int32) -> Int64 { value(row, column, Int64.self) }
  func number(_ row: Int32, _ column: Int32) -> Double { Double(bitPattern: value(row, column, UInt64.self)) }
  func flag(_ row: Int32, _ column: Int32) -> Bool { value(row, column, UInt8.self) != 0 }

  func text(_ row: Int32, _ column: Int32) -> String? {
    guard PQgetisnull(result, row, column) == 0, let bytes = PQgetvalue(result, row, column) else { return nil }
    let length = Int(PQgetlength(result, row, column))
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number's bytes in network order.
  mutating func add(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the length and bytes of a value in a copied row.
  mutating func addField(_ text: String?) {
    guard let text else { return add(Int32(-1)) }
    add(Int32(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}
