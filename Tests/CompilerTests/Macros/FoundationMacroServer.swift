import Foundation
import Testing

/// Runs Foundation's macros in the process that the compiler uses for the toolchain's macros.
final class FoundationMacroServer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  struct Expansion: Decodable {
    var expandedSource: String?
    var diagnostics: [Diagnostic]

    struct Diagnostic: Decodable { var message: String }
  }

  init() throws {
    // If the server has ended, the next write fails instead of ending this process.
    signal(SIGPIPE, SIG_IGN)
    let toolchain = try #require(Self.toolchain)
    process.executableURL = toolchain.appending(path: "bin/swift-plugin-server")
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let library = toolchain.appending(path: "lib/swift/host/plugins/libFoundationMacros.so").path
    // The form of the answers depends on the protocol version that the compiler sends.
    _ = try answer(["getCapability": ["capability": ["protocolVersion": 7]]])
    _ = try answer(["loadPluginLibrary": ["libraryPath": library, "moduleName": "FoundationMacros"]])
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The `usr` folder of the toolchain whose runtime library, `usr/lib/swift/linux/libswiftCore.so`, this process uses.
  private static var toolchain: URL? {
    // The file's size is reported as 0, so a function that reads a whole file would return nothing.
    let bytes = (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
    let maps = String(decoding: bytes, as: UTF8.self)
    guard let line = maps.split(separator: "\n").first(where: { $0.hasSuffix("/libswiftCore.so") }),
      let start = line.firstIndex(of: "/")
    else { return nil }
    var folder = URL(filePath: String(line[start...])).resolvingSymlinksInPath()
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder
  }

  func expand(_ source: String, _ type: String = "PredicateMacro") throws -> Expansion {
    let location: [String: Any] = ["fileID": "a/a.swift", "fileName": "a.swift", "offset": 0, "line": 1, "column": 1]
    let request: [String: Any] = [
      "macro": ["moduleName": "FoundationMacros", "typeName": type, "name": "Predicate"], "macroRole": "expression",
      "discriminator": "d", "syntax": ["kind": "expression", "source": source, "location": location],
      "lexicalContext": [Any](),
    ]
    struct Answer: Decodable { var expandMacroResult: Expansion }
    return try JSONDecoder().decode(Answer.self, from: answer(["expandFreestandingMacro": request])).expandMacroResult
  }

  private func answer(_ message: [String: Any]) throws -> Data {
    let data = try JSONSerialization.data(withJSONObject: message)
    let length = withUnsafeBytes(of: UInt64(data.count).littleEndian) { Data($0) }
    try input.fileHandleForWriting.write(contentsOf: length + data)
    let header = try read(8)
    return try read(Int(header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
  }

  private func read(_ count: Int) throws -> Data {
    var found = Data()
    while found.count < count {
      guard let more = try output.fileHandleForReading.read(upToCount: count - found.count), !more.isEmpty else {
        throw ServerEnded()
      }
      found += more
    }
    return found
  }

  struct ServerEnded: Error {}
}
