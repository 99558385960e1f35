import Foundation
import MacroExpansion

// The compiler plugin for Trellis macros. Each message consists of its byte count, as a 64-bit little-endian integer,
// followed by JSON. The compiler closes the input when it needs no more expansions.

/// The longest accepted message, in bytes. Swift files are shorter, so a longer message is damaged.
let longestMessage: UInt64 = 1 << 30

func read(_ count: Int) -> Data? {
  var bytes = Data()
  while bytes.count < count {
    guard let more = try? FileHandle.standardInput.read(upToCount: count - bytes.count), !more.isEmpty else {
      return nil
    }
    bytes += more
  }
  return bytes
}

// If the compiler has already exited, writing fails and must not terminate this process with a signal.
signal(SIGPIPE, SIG_IGN)
while let header = read(8) {
  let count = header.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
  guard count <= longestMessage, let message = read(Int(count)) else { break }
  let answer = MacroHost.answer(Array(message))
  let length = withUnsafeBytes(of: UInt64(answer.count).littleEndian) { Data($0) }
  guard (try? FileHandle.standardOutput.write(contentsOf: length + answer)) != nil else { break }
}
