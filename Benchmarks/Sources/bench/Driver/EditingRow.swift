import Foundation

/// Measures `trellis lsp`: the time from an edit to the diagnostics, and the memory that 10,000 edits use.
struct EditingRow {
  enum Value { case time, memory }

  var name: String
  var title: String
  var models: Int
  var value = Value.time
  var limit: Double

  static let all = [
    EditingRow(name: "edit-100", title: "edit a schema of 100 models", models: 100, limit: 30),
    EditingRow(name: "edit-1000", title: "edit a schema of 1,000 models", models: 1_000, limit: 150),
    // The allocator keeps a few pages.
    EditingRow(name: "edit-memory", title: "memory of 9,000 further edits", models: 10, value: .memory, limit: 4),
  ]

  func measure(rounds: Int, in folder: URL) throws -> Row {
    var row = Row(name: name, title: title, unit: value == .time ? "ms" : "MiB", limit: limit, isAbsolute: true)
    let tool = Child.ownExecutable.deletingLastPathComponent().appendingPathComponent("trellis")
    guard FileManager.default.isExecutableFile(atPath: tool.path) else {
      row.unavailable = "'\(tool.path)' does not exist"
      return row
    }
    let place = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let editor = try Editor(tool, document: place.appendingPathComponent("Large.schema"))
    try editor.open(SyntheticSchema.large(models: models))
    switch value {
    case .time:
      for _ in 0..<rounds * 3 { row.ours.append(try Sample.time { try editor.edit() }.1) }
    case .memory:
      for _ in 0..<1_000 { try editor.edit() }
      let before = editor.memory
      for _ in 0..<9_000 { try editor.edit() }
      row.ours.append(editor.memory - before)
    }
    try editor.close()
    return row
  }
}

/// A client that types one character at a time.
private final class Editor {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let uri: String
  private var version = 0
  private var received = Data()

  init(_ tool: URL, document: URL) throws {
    uri = document.absoluteString
    process.executableURL = tool
    process.arguments = ["lsp"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#)
    try wait(for: "\"id\":1")
    try send(#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#)
  }

  func open(_ text: String) throws {
    let item = ["uri": uri, "languageId": "trellis-schema", "text": "// a\n" + text] as [String: Any]
    let parameters = ["textDocument": item.merging(["version": 0]) { $1 }]
    let message = ["jsonrpc": "2.0", "method": "textDocument/didOpen", "params": parameters] as [String: Any]
    try send(String(decoding: JSONSerialization.data(withJSONObject: message), as: UTF8.self))
    try wait(for: "\"version\":0")
  }

  /// Types a character in the comment of the first line, and waits for the diagnostics.
  func edit() throws {
    version += 1
    let place = #"{"line":0,"character":3}"#
    let end = version % 2 == 0 ? #"{"line":0,"character":4}"# : place
    try send(
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"\#(uri)","version":\#(version)},"#
        + #""contentChanges":[{"range":{"start":\#(place),"end":\#(end)},"text":"\#(version % 2 == 0 ? "" : "b")"}]}}"#)
    try wait(for: "\"version\":\(version)}")
  }

  func close() throws {
    try send(#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#)
    try send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    process.waitUntilExit()
  }

  /// The resident memory in MiB.
  var memory: Double {
    let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropLast().last).flatMap { Double($0) }.map { $0 / 1_024 } ?? 0
  }

  private func send(_ body: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
  }

  private func wait(for text: String) throws {
    let wanted = Data(text.utf8)
    while received.range(of: wanted) == nil {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw RawFailure(description: "'trellis lsp' ended") }
      received.append(bytes)
    }
    received.removeAll()
  }
}
