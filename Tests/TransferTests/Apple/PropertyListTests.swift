import AppleStore
import AppleStoreFiles
import TestSupport
import Testing

@Suite struct PropertyListTests {
  @Test(arguments: [1, 2, 4])
  func valuesAreReadAsWritten(_ referenceSize: Int) throws {
    let long = String(repeating: "é", count: 40)
    let list = try BinaryPropertyList(
      PropertyListWriter.bytes(
        .dictionary([
          ("null", .null), ("yes", .bool(true)), ("no", .bool(false)), ("small", .integer(200)),
          ("large", .integer(.max)), ("negative", .integer(-1)), ("real", .real(0.1)), ("date", .date(1.5)),
          ("data", .data([1, 2])), ("text", .text("a")), ("long", .text(long)), ("uid", .uid(7)),
          ("list", .list([.text("x"), .list([])])),
        ]), referenceSize: referenceSize))
    func value(_ key: String) -> BinaryPropertyList.Object? { list.value(key, of: list.top).flatMap { list[$0] } }
    #expect(value("null") == .null)
    #expect(value("yes") == .bool(true))
    #expect(value("no") == .bool(false))
    #expect(value("small") == .integer(200))
    #expect(value("large") == .integer(.max))
    #expect(value("negative") == .integer(-1))
    #expect(value("real") == .real(0.1))
    #expect(value("date") == .date(1.5))
    #expect(value("data") == .data([1, 2]))
    #expect(value("text") == .text("a"))
    #expect(value("long") == .text(long))
    #expect(value("uid") == .uid(7))
    guard case .list(let elements)? = value("list") else {
      Issue.record("not a list")
      return
    }
    #expect(elements.map { list[$0] } == [.text("x"), .list([])])
    #expect(value("missing") == nil)
  }

  /// A list with the given objects, each with its own offset.
  private static func raw(_ objects: [[UInt8]], offsets: [Int]? = nil, count: Int? = nil, top: Int = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var places: [Int] = []
    for object in objects {
      places.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    bytes += (offsets ?? places).map { UInt8($0) }
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [count ?? places.count, top, table] { bytes += PropertyListWriter.big(UInt64(number), 8) }
    return bytes
  }

  @Test(arguments: [
    ([], "not a binary property list: the header 'bplist0' is missing"),
    (Array("bplist00".utf8), "the property list is shorter than its trailer"),
    (raw([[0x09]], count: 2), "the property list's trailer contradicts its size"),
    (raw([[0x09]], count: Int.max), "the property list's trailer contradicts its size"),
    (raw([[0x09]], top: 1), "the property list's trailer contradicts its size"),
    (raw([[0x09]], offsets: [3]), "object 0 of the property list is outside the file"),
    (raw([[0x09]], offsets: [200]), "object 0 of the property list is outside the file"),
    (raw([[0x0C]]), "unknown object type 0xc at offset 8 of the property list"),
    (raw([[0x15]]), "unknown object type 0x15 at offset 8 of the property list"),
    (raw([[0xE0]]), "unknown object type 0xe0 at offset 8 of the property list"),
    (raw([[0x51, 0xC3]]), "the text at offset 8 of the property list is not valid"),
    (raw([[0x61, 0xD8, 0x00]]), "the text at offset 8 of the property list is not valid"),
    (raw([[0x71, 0xFF]]), "the text at offset 8 of the property list is not valid"),
    (raw([[0x5E, 0x41]]), "the object at offset 8 of the property list is larger than the file"),
    (raw([[0x5F, 0x41]]), "the object at offset 8 of the property list has no size"),
    (
      raw([[0x5F, 0x13] + [UInt8](repeating: 0x7F, count: 8)]),
      "the object at offset 8 of the property list is larger than the file"
    ),
    (
      raw([[0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)]),
      "the object at offset 8 of the property list is larger than the file"
    ),
    (raw([[0xA1, 5]]), "the property list refers to a missing object"),
    (raw([[0x13, 1]]), "an object of the property list extends beyond the file"),
    (
      raw([[0x14] + [UInt8](repeating: 1, count: 16)]),
      "the integer at offset 8 of the property list does not fit into 64 bits"
    ),
    (
      raw([[0x84, 1, 0, 0, 0, 0]]), "the object number at offset 8 of the property list is too large"
    ),
    // Ten lists that share their bytes.
    (
      raw([[0xA4, 0, 0, 0, 0]], offsets: [Int](repeating: 8, count: 10), count: 10),
      "objects of the property list overlap"
    ),
  ])
  func damagedListsAreRefused(_ bytes: [UInt8], _ message: String) {
    #expect(throws: AppleStoreProblem(message)) { try BinaryPropertyList(bytes) }
  }

  /// References are not followed, so a list can contain itself.
  @Test func cyclesAreHarmless() throws {
    let list = try BinaryPropertyList(Self.raw([[0xA1, 1], [0xA2, 0, 1]]))
    #expect(list[0] == .list([1]))
    #expect(list[1] == .list([0, 1]))
    #expect(list[2] == nil)
  }

  @Test func unsignedIntegersWithSixteenBytes() throws {
    let list = try BinaryPropertyList(Self.raw([[0x14] + [UInt8](repeating: 0, count: 15) + [9]]))
    #expect(list[0] == .integer(9))
  }
}

@Suite struct InflateTests {
  private static let text = Array("Trips and more trips".utf8)

  @Test func storedBlocks() throws {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(try Inflate.run(DeflateWriter.stored(bytes, blockSize: 300), limit: 1000) == bytes)
    #expect(try Inflate.run(DeflateWriter.stored([]), limit: 0) == [])
  }

  @Test func fixedCode() throws {
    let bytes = Self.text + [UInt8](repeating: 200, count: 5000) + Self.text
    let compressed = DeflateWriter.fixed(bytes)
    #expect(compressed.count < 400)
    #expect(try Inflate.run(compressed, limit: bytes.count) == bytes)
  }

  /// Written by zlib 1.2: a fixed code with matches, a dynamic code, and one with a single distance.
  @Test(arguments: [
    ("0b29ca2c28d6512841a21412f3521472f38b52215c2e00", "Trips, trips, trips and more trips\n"),
    (
      """
      7552490ec3200cfc0a8f694e95a24aed299708019590525a05f790dfb79898dd972c8367ec19e341ee208cd3c2c99711cb3acd0fa1a457\
      521ba18d07eb24d8b78bc7f880dd7ece42f7dd36fb3c908fb0473982e9bdacb72bd67482018c1ca487df0c95d5748252489def93030bc7\
      c578f5e762159ed6a3f55211218fc97ae7257c8c9a20a3528f1de39363f0c9fab482d43ae75c8dd9c44a67e8ba572c16da5b2ecb8bd4d8\
      505bc3b48562eb5c5e23ac9ab0993ee8d0a8287f5e386a99ae41c61354dbe21c25197e342eabbcca11b74df507
      """,
      """
      start end name Z_ENT cascade destination name name trip Z_ENT nullify end trip start nullify nullify Z_PK end \
      destination name end start trip end end start destination end end Z_PK name NSEntityDescription Z_PK Z_ENT \
      nullify start destination start cascade end name nullify end trip end NSEntityDescription end nullify start \
      Z_ENT Z_ENT NSEntityDescription end Z_ENT cascade destination start end end trip name trip cascade end nullify \
      nullify cascade Z_PK destination start name Z_ENT start cascade end destination Z_PK Z_ENT NSEntityDescription \
      Z_PK nullify start Z_PK name trip start end NSEntityDescription NSEntityDescription start name Z_PK \
      destination end cascade trip trip Z_PK name end Z_PK trip Z_PK end Z_PK destination Z_ENT NSEntityDescription \
      name end NSEntityDescription start cascade end destination end Z_ENT NSEntityDescription destination Z_PK
      """
    ),
    (
      "edc6370100200c0030ad85b2ea5f001f1a38922b110000c0ef5acf31d73ef57201",
      String(repeating: "a", count: 3000) + "bcdefghijbcdefghij"
    ),
  ])
  func blocksWrittenByZlib(_ hexadecimal: String, _ text: String) throws {
    let bytes = Self.bytes(hexadecimal)
    #expect(String(decoding: try Inflate.run(bytes, limit: 10_000), as: UTF8.self) == text)
    // Every prefix ends early.
    for count in 0..<bytes.count {
      #expect(throws: AppleStoreProblem.self) { try Inflate.run(Array(bytes.prefix(count)), limit: 10_000) }
    }
    let count = text.utf8.count
    #expect(throws: AppleStoreProblem("the compressed data expands to more than \(count - 1) bytes")) {
      try Inflate.run(bytes, limit: count - 1)
    }
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }

  @Test(
    arguments: [
      ([0x07], "the compressed data has an unknown block type"),
      ([0x01, 5, 0, 0, 0], "the size of a stored block contradicts its check value"),
      ([0x01, 5, 0, 0xFA, 0xFF, 1], "the compressed data ends early"),
      ([], "the compressed data ends early"),
      // A match at the very start: the fixed codes 257 and distance 0.
      ([0x03, 0x02, 0x00], "the compressed data refers to text before its start"),
      // 288 literal codes.
      ([0xFD, 0xFF, 0xFF], "the compressed data has too many code lengths"),
    ] as [([UInt8], String)])
  func damagedDataIsRefused(_ bytes: [UInt8], _ message: String) {
    #expect(throws: AppleStoreProblem(message)) { try Inflate.run(bytes, limit: 1000) }
  }

  @Test func bombsStopAtTheLimit() {
    let bomb = DeflateWriter.fixed([UInt8](repeating: 0, count: 2_000_000))
    #expect(throws: AppleStoreProblem("the compressed data expands to more than 1000000 bytes")) {
      try Inflate.run(bomb, limit: 1_000_000)
    }
  }
}
