import Foundation

/// The progress of a worker in a memory-mapped file, which survives the worker.
public struct Board: @unchecked Sendable {
  private enum Field: Int {
    case number, length, done, accepted, completed, broken, slowest, slowestNumber
  }

  private static let header = 8 * MemoryLayout<UInt64>.size
  private static let size = 1 << 20
  private let memory: UnsafeMutableRawPointer

  /// - Parameter isNew: True to create the file before the worker starts.
  public init?(_ path: String, isNew: Bool) {
    let file = open(path, isNew ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard !isNew || ftruncate(file, off_t(Self.size)) == 0,
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
    else { return nil }
    self.memory = memory
  }

  private subscript(_ field: Field) -> UInt64 {
    get { memory.load(fromByteOffset: field.rawValue * 8, as: UInt64.self) }
    nonmutating set { memory.storeBytes(of: newValue, toByteOffset: field.rawValue * 8, as: UInt64.self) }
  }

  /// Records the start of a test.
  public func begin(_ number: Int, _ text: [UInt8]) {
    let length = min(text.count, Self.size - Self.header)
    text.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress { (memory + Self.header).copyMemory(from: base, byteCount: length) }
    }
    self[.length] = UInt64(length)
    self[.number] = UInt64(number)
  }

  /// Records the end of a test.
  ///
  /// - Parameters:
  ///   - accepted: True if the input was valid.
  ///   - completed: True if all steps were run.
  public func end(accepted: Bool, completed: Bool, broken: Bool, seconds: Double) {
    self[.accepted] += accepted ? 1 : 0
    self[.completed] += completed ? 1 : 0
    self[.broken] += broken ? 1 : 0
    let time = UInt64(seconds * 1e6)
    if time > self[.slowest] {
      self[.slowest] = time
      self[.slowestNumber] = self[.number]
    }
    self[.done] += 1
  }

  public var number: Int { Int(self[.number]) }
  public var done: Int { Int(self[.done]) }
  public var accepted: Int { Int(self[.accepted]) }
  public var completed: Int { Int(self[.completed]) }
  public var broken: Int { Int(self[.broken]) }
  public var slowest: (seconds: Double, number: Int) { (Double(self[.slowest]) / 1e6, Int(self[.slowestNumber])) }
  public var text: [UInt8] {
    Array(UnsafeRawBufferPointer(start: memory + Self.header, count: Int(self[.length])))
  }
}
