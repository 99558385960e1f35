/// Decompresses raw deflate data (RFC 1951), which has no zlib or gzip header or checksum.
package struct Inflate {
  private let bytes: [UInt8]
  private let limit: Int
  private var next = 0
  private var bitBuffer: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// - Parameter limit: The maximum size of the result.
  /// - Throws: ``AppleStoreProblem`` if the data is damaged or the result exceeds the limit.
  package static func run(_ bytes: [UInt8], limit: Int) throws(AppleStoreProblem) -> [UInt8] {
    var reader = Inflate(bytes: bytes, limit: limit)
    try reader.readBlocks()
    return reader.output
  }

  private init(bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  private mutating func readBlocks() throws(AppleStoreProblem) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try copyStored()
      case 1: try decode(Self.fixed.literals, Self.fixed.distances)
      case 2:
        let tables = try dynamicTables()
        try decode(tables.literals, tables.distances)
      default: throw AppleStoreProblem("the compressed data has an unknown block type")
      }
    }
  }

  // MARK: - Blocks

  private mutating func copyStored() throws(AppleStoreProblem) {
    bitBuffer = 0
    bitCount = 0
    guard bytes.count - next >= 4 else { throw Self.truncated }
    let length = Int(bytes[next]) | Int(bytes[next + 1]) << 8
    let complement = Int(bytes[next + 2]) | Int(bytes[next + 3]) << 8
    guard length == ~complement & 0xFFFF else {
      throw AppleStoreProblem("the size of a stored block contradicts its check value")
    }
    next += 4
    guard bytes.count - next >= length else { throw Self.truncated }
    try reserve(length)
    output += bytes[next..<(next + length)]
    next += length
  }

  private mutating func decode(_ literals: Huffman, _ distances: Huffman) throws(AppleStoreProblem) {
    while true {
      let symbol = try symbol(literals)
      if symbol < 256 {
        try reserve(1)
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol - 257 < Self.lengths.count else {
        throw AppleStoreProblem("the compressed data has an invalid length symbol")
      }
      let length = Self.lengths[symbol - 257]
      let count = length.base + (try bits(length.extra))
      let place = try self.symbol(distances)
      guard place < Self.distances.count else {
        throw AppleStoreProblem("the compressed data has an invalid distance symbol")
      }
      let distance = Self.distances[place].base + (try bits(Self.distances[place].extra))
      guard distance <= output.count else {
        throw AppleStoreProblem("the compressed data refers to text before its start")
      }
      try reserve(count)
      // The source may overlap the new bytes.
      for _ in 0..<count { output.append(output[output.count - distance]) }
    }
  }

  private mutating func dynamicTables() throws(AppleStoreProblem) -> (literals: Huffman, distances: Huffman) {
    let literalCount = try bits(5) + 257
    let distanceCount = try bits(5) + 1
    let codeCount = try bits(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else {
      throw AppleStoreProblem("the compressed data has too many code lengths")
    }
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codeCount { codeLengths[Self.codeOrder[index]] = UInt8(try bits(3)) }
    let codes = try Huffman(codeLengths[...])
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try symbol(codes)
      var (value, count) = (UInt8(truncatingIfNeeded: symbol), 1)
      switch symbol {
      case 16:
        guard let last = lengths.last else {
          throw AppleStoreProblem("the compressed data repeats a code length before the first one")
        }
        (value, count) = (last, 3 + (try bits(2)))
      case 17: (value, count) = (0, 3 + (try bits(3)))
      case 18: (value, count) = (0, 11 + (try bits(7)))
      default: break
      }
      guard lengths.count + count <= literalCount + distanceCount else {
        throw AppleStoreProblem("the compressed data has too many code lengths")
      }
      lengths += repeatElement(value, count: count)
    }
    guard lengths[256] > 0 else { throw AppleStoreProblem("the compressed data has no code for the end of a block") }
    return (
      try Huffman(lengths[..<literalCount]),
      try Huffman(lengths[literalCount...], mayBeIncomplete: true)
    )
  }

  // MARK: - Bits

  private mutating func bits(_ count: Int) throws(AppleStoreProblem) -> Int {
    while bitCount < count {
      guard next < bytes.count else { throw Self.truncated }
      bitBuffer |= UInt32(bytes[next]) << UInt32(bitCount)
      next += 1
      bitCount += 8
    }
    let value = bitBuffer & (1 << UInt32(count) - 1)
    bitBuffer >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func symbol(_ table: Huffman) throws(AppleStoreProblem) -> Int {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Huffman.longest {
      code |= try bits(1)
      let count = table.counts[length]
      if code - first < count { return table.symbols[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw AppleStoreProblem("the compressed data has an unknown code")
  }

  private func reserve(_ count: Int) throws(AppleStoreProblem) {
    guard count <= limit - output.count else {
      throw AppleStoreProblem("the compressed data expands to more than \(limit) bytes")
    }
  }

  private static let truncated = AppleStoreProblem("the compressed data ends early")
}

/// A canonical Huffman code: the symbols in code order, and code counts by length.
private struct Huffman {
  static let longest = 15
  private(set) var counts = [Int](repeating: 0, count: longest + 1)
  private(set) var symbols: [Int] = []

  /// - Parameter mayBeIncomplete: True to accept an empty code, or a single one-bit code.
  init(_ lengths: ArraySlice<UInt8>, mayBeIncomplete: Bool = false) throws(AppleStoreProblem) {
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var left = 1
    for length in 1...Self.longest {
      left = left << 1 - counts[length]
      guard left >= 0 else { throw AppleStoreProblem("the compressed data has contradictory code lengths") }
    }
    let used = counts.reduce(0, +)
    guard left == 0 || mayBeIncomplete && (used == 0 || used == 1 && counts[1] == 1) else {
      throw AppleStoreProblem("the compressed data has incomplete code lengths")
    }
    for length in 1...Self.longest {
      for (symbol, own) in lengths.enumerated() where Int(own) == length { symbols.append(symbol) }
    }
  }

  /// Creates a fixed code. The lengths must be valid.
  init(fixed lengths: [Int]) {
    for length in lengths { counts[length] += 1 }
    symbols = (1...Self.longest).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
  }
}

extension Inflate {
  private static let fixed = (
    literals: Huffman(
      fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }),
    distances: Huffman(fixed: [Int](repeating: 5, count: 30))
  )

  private static let codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// Match lengths by symbol, starting at symbol 257.
  private static let lengths: [(base: Int, extra: Int)] =
    series(start: 3, free: 8, step: 4, count: 28) + [(base: 258, extra: 0)]

  private static let distances = series(start: 1, free: 4, step: 2, count: 30)

  /// Returns consecutive ranges: `free` single values, then `step` ranges for each number of extra bits.
  private static func series(start: Int, free: Int, step: Int, count: Int) -> [(base: Int, extra: Int)] {
    var base = start
    return (0..<count).map { index in
      let extra = index < free ? 0 : (index - free) / step + 1
      defer { base += 1 << extra }
      return (base, extra)
    }
  }
}
