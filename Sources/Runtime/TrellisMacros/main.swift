import Foundation
import MacroExpansion

// The plugin of the compiler for the macros of Trellis. A message is the number of its bytes, as a little-endian integer
// of 64 bits, and then JSON. The compiler closes the input when it needs no more expansions.

/// The longest message. A file of Swift is shorter, so a longer one is damaged.
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

// The compiler may have ended already: then writing fails and must not end this process with a signal.
signal(SIGPIPE, SIG_IGN)
while let header = read(8) {
  let count = header.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
  guard count <= longestMessage, let message = read(Int(count)) else { break }
  let answer = MacroHost.answer(Array(message))
  let length = withUnsafeBytes(of: UInt64(answer.count).littleEndian) { Data($0) }
  guard (try? FileHandle.standardOutput.write(contentsOf: length + answer)) != nil else { break }
}
