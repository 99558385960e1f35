package import Trellis

/// The result of a copy.
package struct CopyReport: Sendable, Encodable {
  package var tables: [TableReport]
  /// The first rejected rows.
  package var rejects: [Reject]
  package var rejectedCount: Int64 { tables.reduce(0) { $0 + $1.rejected } }
  package var writtenCount: Int64 { tables.reduce(0) { $0 + $1.written } }

  package init(tables: [TableReport] = [], rejects: [Reject] = []) {
    self.tables = tables
    self.rejects = rejects
  }

  /// True if every source row was written or rejected, and all column checksums match.
  package var isComplete: Bool { tables.allSatisfy(\.isComplete) }
}

package struct TableReport: Sendable, Encodable {
  package var entity: String
  package var origin: String
  package var found: Int64
  package var written: Int64
  package var rejected: Int64
  package var columns: [ColumnReport]

  package init(
    entity: String, origin: String, found: Int64 = 0, written: Int64 = 0, rejected: Int64 = 0,
    columns: [ColumnReport] = []
  ) {
    self.entity = entity
    self.origin = origin
    self.found = found
    self.written = written
    self.rejected = rejected
    self.columns = columns
  }

  package var isComplete: Bool {
    found == written + rejected && columns.allSatisfy { $0.sourceChecksum == $0.storeChecksum }
  }
}

/// A column's expected and actual checksums.
///
/// A checksum covers each value together with the row key, and is independent of the row order.
package struct ColumnReport: Sendable, Encodable, Hashable {
  package var name: String
  package var sourceChecksum: String
  package var storeChecksum: String

  package init(name: String, sourceChecksum: String, storeChecksum: String) {
    self.name = name
    self.sourceChecksum = sourceChecksum
    self.storeChecksum = storeChecksum
  }
}

/// A rejected row and the reason.
package struct Reject: Sendable, Encodable {
  package var table: String
  /// The row's number, or the line of a file.
  package var row: Int64
  /// Empty if the whole row is the problem.
  package var column: String
  package var reason: String
  /// The source row.
  package var values: [String: RejectedValue]
  /// The word for ``row`` in messages.
  private let unit: String

  package init(
    table: String, row: Int64, column: String, reason: String, values: [String: RejectedValue] = [:],
    unit: String = CopyPlan.rowUnit
  ) {
    self.table = table
    self.row = row
    self.column = column
    self.reason = reason
    self.values = values
    self.unit = unit
  }

  package var text: String { "\(table) \(unit) \(row)\(column.isEmpty ? "" : ", \(column)"): \(reason)" }

  private enum CodingKeys: String, CodingKey { case table, row, column, reason, values }
}

/// A source value in JSON. Bytes, and text that is not valid UTF-8, are written as `{"bytes": "…"}` in Base64.
package struct RejectedValue: Sendable, Encodable, Hashable {
  package var value: SQLValue

  package init(_ value: SQLValue) { self.value = value }

  package init(_ bytes: UnsafeRawBufferPointer) {
    value = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
  }

  private enum Keys: String, CodingKey { case bytes }

  package func encode(to encoder: any Encoder) throws {
    if case .blob(let bytes) = value {
      var container = encoder.container(keyedBy: Keys.self)
      return try container.encode(Data(bytes).base64EncodedString(), forKey: .bytes)
    }
    var container = encoder.singleValueContainer()
    switch value {
    case .integer(let number): try container.encode(number)
    case .real(let number) where number.isFinite: try container.encode(number)
    case .real(let number): try container.encode("\(number)")
    case .text(let text): try container.encode(text)
    case .null, .list, .blob: try container.encodeNil()
    }
  }
}

/// Called with the progress of a copy.
package typealias TransferProgress = @Sendable (TransferStep) -> Void

package struct TransferStep: Sendable, Equatable {
  package enum Phase: String, Sendable {
    case reading, copying, indexing, comparing
  }

  package var phase: Phase
  /// The table or model.
  package var name: String
  package var done: Int64
  /// The total over all tables; `nil` if unknown.
  package var total: Int64?

  package init(_ phase: Phase, _ name: String, done: Int64, total: Int64? = nil) {
    self.phase = phase
    self.name = name
    self.done = done
    self.total = total
  }
}
