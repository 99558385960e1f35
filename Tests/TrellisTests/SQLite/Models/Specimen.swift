import Foundation

@testable import Trellis
@testable import TrellisModel

/// A model with a property of every column type.
final class Specimen: PersistentModel {
  var _$state = ModelState()
  var _$values: Snapshot

  var flag: Bool {
    get { _$values.flag }
    set { _$values.flag = newValue }
  }
  var int: Int {
    get { _$values.int }
    set { _$values.int = newValue }
  }
  var int8: Int8 {
    get { _$values.int8 }
    set { _$values.int8 = newValue }
  }
  var int16: Int16 {
    get { _$values.int16 }
    set { _$values.int16 = newValue }
  }
  var int32: Int32 {
    get { _$values.int32 }
    set { _$values.int32 = newValue }
  }
  var int64: Int64 {
    get { _$values.int64 }
    set { _$values.int64 = newValue }
  }
  var uint: UInt {
    get { _$values.uint }
    set { _$values.uint = newValue }
  }
  var uint8: UInt8 {
    get { _$values.uint8 }
    set { _$values.uint8 = newValue }
  }
  var uint16: UInt16 {
    get { _$values.uint16 }
    set { _$values.uint16 = newValue }
  }
  var uint32: UInt32 {
    get { _$values.uint32 }
    set { _$values.uint32 = newValue }
  }
  var uint64: UInt64 {
    get { _$values.uint64 }
    set { _$values.uint64 = newValue }
  }
  var float: Float {
    get { _$values.float }
    set { _$values.float = newValue }
  }
  var double: Double {
    get { _$values.double }
    set { _$values.double = newValue }
  }
  var decimal: Decimal {
    get { _$values.decimal }
    set { _$values.decimal = newValue }
  }
  var text: String {
    get { _$values.text }
    set { _$values.text = newValue }
  }
  var character: Character {
    get { _$values.character }
    set { _$values.character = newValue }
  }
  var date: Date {
    get { _$values.date }
    set { _$values.date = newValue }
  }
  var uuid: UUID {
    get { _$values.uuid }
    set { _$values.uuid = newValue }
  }
  var url: URL {
    get { _$values.url }
    set { _$values.url = newValue }
  }
  var data: Data {
    get { _$values.data }
    set { _$values.data = newValue }
  }
  var grade: Grade {
    get { _$values.grade }
    set { _$values.grade = newValue }
  }
  var size: Size {
    get { _$values.size }
    set { _$values.size = newValue }
  }
  var numbers: [Double] {
    get { _$values.numbers }
    set { _$values.numbers = newValue }
  }
  var names: Set<String> {
    get { _$values.names }
    set { _$values.names = newValue }
  }
  var table: [String: Int] {
    get { _$values.table }
    set { _$values.table = newValue }
  }
  var ranks: [Grade: Int] {
    get { _$values.ranks }
    set { _$values.ranks = newValue }
  }
  var note: String? {
    get { _$values.note }
    set { _$values.note = newValue }
  }
  var maybe: Double? {
    get { _$values.maybe }
    set { _$values.maybe = newValue }
  }
  var blob: Data? {
    get { _$values.blob }
    set { _$values.blob = newValue }
  }
  var choice: Grade? {
    get { _$values.choice }
    set { _$values.choice = newValue }
  }
  var box: Size? {
    get { _$values.box }
    set { _$values.box = newValue }
  }

  init(_$values values: Snapshot) { _$values = values }
  init(backingData: any BackingData<Specimen>) {
    _$values = Specimen._$definition.values(of: backingData)
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$definition = ModelDefinition(Snapshot.self, name: "Specimen", codec: 1)

  static var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(name: "flag", keypath: \Specimen.flag, defaultValue: (false as Bool)),
      .init(name: "int", keypath: \Specimen.int, defaultValue: (0 as Int)),
      .init(name: "int8", keypath: \Specimen.int8, defaultValue: (0 as Int8)),
      .init(name: "int16", keypath: \Specimen.int16, defaultValue: (0 as Int16)),
      .init(name: "int32", keypath: \Specimen.int32, defaultValue: (0 as Int32)),
      .init(name: "int64", keypath: \Specimen.int64, defaultValue: (0 as Int64)),
      .init(name: "uint", keypath: \Specimen.uint, defaultValue: (0 as UInt)),
      .init(name: "uint8", keypath: \Specimen.uint8, defaultValue: (0 as UInt8)),
      .init(name: "uint16", keypath: \Specimen.uint16, defaultValue: (0 as UInt16)),
      .init(name: "uint32", keypath: \Specimen.uint32, defaultValue: (0 as UInt32)),
      .init(name: "uint64", keypath: \Specimen.uint64, defaultValue: (0 as UInt64)),
      .init(name: "float", keypath: \Specimen.float, defaultValue: (0 as Float)),
      .init(name: "double", keypath: \Specimen.double, defaultValue: (0 as Double)),
      .init(name: "decimal", keypath: \Specimen.decimal, defaultValue: (0 as Decimal)),
      .init(name: "text", keypath: \Specimen.text, defaultValue: ("" as String)),
      .init(name: "character", keypath: \Specimen.character, defaultValue: (" " as Character)),
      .init(
        name: "date", keypath: \Specimen.date,
        defaultValue: (Date(timeIntervalSinceReferenceDate: 0) as Date)),
      .init(name: "uuid", keypath: \Specimen.uuid),
      .init(name: "url", keypath: \Specimen.url),
      .init(name: "data", keypath: \Specimen.data, defaultValue: (Data() as Data)),
      .init(name: "grade", keypath: \Specimen.grade, defaultValue: (.a as Grade)),
      .init(
        name: "size", keypath: \Specimen.size, defaultValue: (Size(width: 0, label: "") as Size)),
      .init(name: "numbers", keypath: \Specimen.numbers, defaultValue: ([] as [Double])),
      .init(name: "names", keypath: \Specimen.names, defaultValue: ([] as Set<String>)),
      .init(name: "table", keypath: \Specimen.table, defaultValue: ([:] as [String: Int])),
      .init(name: "ranks", keypath: \Specimen.ranks, defaultValue: ([:] as [Grade: Int])),
      .init(name: "note", keypath: \Specimen.note),
      .init(name: "maybe", keypath: \Specimen.maybe),
      .init(name: "blob", keypath: \Specimen.blob),
      .init(name: "choice", keypath: \Specimen.choice),
      .init(name: "box", keypath: \Specimen.box),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Specimen
    var persistentIdentifier = Specimen._$definition.temporaryIdentifier()
    var flag: Bool = false
    var int: Int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double: Double = 0
    var decimal: Decimal = 0
    var text: String = ""
    var character: Character = " "
    var date: Date = Date(timeIntervalSinceReferenceDate: 0)
    var uuid: UUID = .placeholder
    var url: URL = .placeholder
    var data: Data = Data()
    var grade: Grade = .a
    var size: Size = Size(width: 0, label: "")
    var numbers: [Double] = []
    var names: Set<String> = []
    var table: [String: Int] = [:]
    var ranks: [Grade: Int] = [:]
    var note: String? = nil
    var maybe: Double? = nil
    var blob: Data? = nil
    var choice: Grade? = nil
    var box: Size? = nil

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      flag = try row.value(0)
      int = try row.value(1)
      int8 = try row.value(2)
      int16 = try row.value(3)
      int32 = try row.value(4)
      int64 = try row.value(5)
      uint = try row.value(6)
      uint8 = try row.value(7)
      uint16 = try row.value(8)
      uint32 = try row.value(9)
      uint64 = try row.value(10)
      float = try row.value(11)
      double = try row.value(12)
      decimal = try row.value(13)
      text = try row.value(14)
      character = try row.value(15)
      date = try row.value(16)
      uuid = try row.value(17)
      url = try row.value(18)
      data = try row.value(19)
      grade = try row.value(20)
      size = try row.value(21)
      numbers = try row.value(22)
      names = try row.value(23)
      table = try row.value(24)
      ranks = try row.value(25)
      note = try row.value(26)
      maybe = try row.value(27)
      blob = try row.value(28)
      choice = try row.value(29)
      box = try row.value(30)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, flag)
      try row.value(1, int)
      try row.value(2, int8)
      try row.value(3, int16)
      try row.value(4, int32)
      try row.value(5, int64)
      try row.value(6, uint)
      try row.value(7, uint8)
      try row.value(8, uint16)
      try row.value(9, uint32)
      try row.value(10, uint64)
      try row.value(11, float)
      try row.value(12, double)
      try row.value(13, decimal)
      try row.value(14, text)
      try row.value(15, character)
      try row.value(16, date)
      try row.value(17, uuid)
      try row.value(18, url)
      try row.value(19, data)
      try row.value(20, grade)
      try row.value(21, size)
      try row.value(22, numbers)
      try row.value(23, names)
      try row.value(24, table)
      try row.value(25, ranks)
      try row.value(26, note)
      try row.value(27, maybe)
      try row.value(28, blob)
      try row.value(29, choice)
      try row.value(30, box)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Specimen) { self = model._$values }
    func makeModel() -> Specimen { Specimen(_$values: self) }
    func restore(_ model: Specimen) { model._$values = self }
  }
}

enum Grade: String, Codable, Sendable, ColumnValue {
  case a, b
  static var placeholder: Grade { .a }
}

struct Size: Codable, Hashable, Sendable, ColumnValue {
  var width: Double
  var label: String
  static var placeholder: Size { Size(width: 0, label: "") }
}
