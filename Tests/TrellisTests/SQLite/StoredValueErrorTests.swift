import Foundation
import Testing

@testable import Trellis
@testable import TrellisModel

@Suite struct StoredValueErrorTests {
  /// Writes a value to a column with SQL and reads it.
  private func expect(
    _ column: String, _ value: String, _ type: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let fixture = try StoreFixture(Specimen.self)
    let store = try fixture.open()
    try store.save(insert: [Specimen.Snapshot().snapshot()])
    let output = try fixture.shell("UPDATE \"Specimen\" SET \"\(column)\" = \(value)")
    #expect(output == "", sourceLocation: location)
    let error = #expect(throws: StoredValueError.self, sourceLocation: location) {
      try store.values(Specimen.Snapshot.self)
    }
    #expect(error?.entity == "Specimen", sourceLocation: location)
    #expect(error?.property == column, sourceLocation: location)
    #expect(error?.value == value, sourceLocation: location)
    #expect(error?.type == type, sourceLocation: location)
    #expect(error?.identifier.row == 1, sourceLocation: location)
  }

  @Test func invalidStoredValuesAreErrors() throws {
    try expect("flag", "2", "Bool")
    try expect("int8", "128", "Int8")
    try expect("uint16", "-1", "UInt16")
    try expect("uint32", "4294967296", "UInt32")
    try expect("float", "0.1", "Float")
    try expect("double", "'many'", "Double")
    try expect("decimal", "'1.50'", "Decimal")
    try expect("character", "'ab'", "Character")
    try expect("character", "''", "Character")
    try expect("uuid", "'no'", "UUID")
    try expect("grade", "'z'", "Grade")
    try expect("choice", "'z'", "Grade")
    try expect("size", "'{'", "Size")
    try expect("numbers", "'{}'", "Array<Double>")
  }
}
