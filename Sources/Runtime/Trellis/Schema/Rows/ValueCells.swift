/// Values in SQLite's form as the columns of a row.
package final class ValueCells: RowCells {
  private let values: [SQLValue]
  /// The bytes of the last text or blob, which stay valid until the next one.
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)

  package init(_ values: [SQLValue]) { self.values = values }

  deinit { bytes.deallocate() }

  package func isNull(_ column: Int32) -> Bool { values[Int(column)] == .null }

  package func integer(_ column: Int32) -> Int64? {
    if case .integer(let number) = values[Int(column)] { number } else { nil }
  }

  package func real(_ column: Int32) -> Double? {
    switch values[Int(column)] {
    case .real(let number): number
    case .integer(let number): Double(number)
    case .nan: .nan
    default: nil
    }
  }

  package func text(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard case .text(let text) = values[Int(column)] else { return nil }
    return keep(text.utf8)
  }

  package func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
    guard case .blob(let blob) = values[Int(column)] else { return nil }
    return keep(blob)
  }

  package func describe(_ column: Int32) -> String { values[Int(column)].description }

  private func keep(_ contents: some Collection<UInt8>) -> UnsafeRawBufferPointer {
    bytes.deallocate()
    bytes = .allocate(byteCount: contents.count, alignment: 1)
    bytes.copyBytes(from: contents)
    return UnsafeRawBufferPointer(bytes)
  }
}

/// The form in which a column has a value.
package final class ColumnForm: ColumnSink {
  package private(set) var value = SQLValue.null

  /// - Throws: What encoding the value throws.
  package init(_ value: some ColumnValue) throws {
    var binder = StatementBinder(self, nil)
    try value.bind(to: &binder, StatementBinder.firstParameter)
  }

  package func bindNull(_ parameter: Int32) { value = .null }
  package func bind(_ integer: Int64, _ parameter: Int32) { value = .integer(integer) }
  package func bind(_ real: Double, _ parameter: Int32) { value = SQLValue(number: real) }
  package func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    value = .text(String(decoding: bytes, as: UTF8.self))
  }
  package func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) { value = .blob([UInt8](bytes)) }
}
