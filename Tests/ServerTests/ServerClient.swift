import Foundation
import SchemaCommands
import SchemaDriver
import SchemaServer
import Testing

/// An editor without a process: messages go to the server's function, and its effects are performed here.
final class ServerClient {
  private var state = ServerState(findHome: SchemaFolder.home(of:))
  private var number = 0
  private(set) var notifications: [[String: Any]] = []
  private(set) var versions: [String: Int] = [:]
  /// The text of open documents by path.
  private(set) var texts: [String: String] = [:]
  let root: URL

  init(_ root: URL, snippets: Bool = true, encodings: [String] = [], versions: Bool = true) throws {
    self.root = root
    let capabilities: [String: Any] = [
      "textDocument": ["completion": ["completionItem": ["snippetSupport": snippets]]],
      "general": ["positionEncodings": encodings], "workspace": ["workspaceEdit": ["documentChanges": versions]],
    ]
    try request("initialize", ["rootUri": root.absoluteString, "capabilities": capabilities])
    try notify("initialized", [String: String]())
  }

  // MARK: Messages

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Sends a request and returns the result.
  @discardableResult func request(_ method: String, _ parameters: Any) throws -> Any {
    number += 1
    let answers = try send(["jsonrpc": "2.0", "id": number, "method": method, "params": parameters])
    let answer = try #require(answers.first { $0["id"] as? Int == number })
    if let error = answer["error"] as? [String: Any] { throw Failure(description: error["message"] as? String ?? "") }
    return answer["result"] ?? NSNull()
  }

  func notify(_ method: String, _ parameters: Any) throws {
    notifications += try send(["jsonrpc": "2.0", "method": method, "params": parameters])
    notifications += try perform(Server.handle(.idle, &state))
  }

  private func send(_ message: [String: Any]) throws -> [[String: Any]] {
    let body = try JSONSerialization.data(withJSONObject: message)
    return try perform(Server.handle(.message(body), &state))
  }

  private func perform(_ effects: [ServerEffect]) throws -> [[String: Any]] {
    var messages: [[String: Any]] = []
    for effect in effects {
      switch effect {
      case .send(let message):
        messages.append(try #require(try JSONSerialization.jsonObject(with: message.body) as? [String: Any]))
      case .read(let folder):
        messages += try perform(Server.handle(.read(folder: folder, LintedFolder.read(folder)), &state))
      case .exit: break
      }
    }
    return messages
  }

  // MARK: Documents

  /// The URI of a file in the root folder. New documents have no file.
  func uri(_ path: String) -> String {
    path.hasPrefix("untitled:") ? path : root.appendingPathComponent(path).absoluteString
  }

  func open(_ path: String, _ text: String) throws {
    versions[path] = 1
    texts[path] = text
    try notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": uri(path), "languageId": "trellis-schema", "version": 1, "text": text]])
  }

  /// Replaces the text between two offsets of characters.
  func edit(_ path: String, _ range: Range<Int>, _ text: String) throws {
    let old = try #require(texts[path])
    let version = (versions[path] ?? 0) + 1
    versions[path] = version
    let start = old.index(old.startIndex, offsetBy: range.lowerBound)
    let end = old.index(old.startIndex, offsetBy: range.upperBound)
    texts[path] = old.replacingCharacters(in: start..<end, with: text)
    let change: [String: Any] = [
      "range": ["start": position(start, in: old), "end": position(end, in: old)], "text": text,
    ]
    try notify(
      "textDocument/didChange", ["textDocument": ["uri": uri(path), "version": version], "contentChanges": [change]])
  }

  func replace(_ path: String, _ text: String) throws { try edit(path, 0..<(texts[path]?.count ?? 0), text) }

  /// A position in UTF-16 units.
  private func position(_ index: String.Index, in text: String) -> [String: Int] {
    let before = text[..<index]
    let line = before.lastIndex(of: "\n").map { before[before.index(after: $0)...] } ?? before
    return ["line": before.count { $0 == "\n" }, "character": line.utf16.count]
  }

  /// The parameters of a request about the text after a marker, which is the text's only `|`.
  static func marked(_ text: String) -> (text: String, line: Int, character: Int) {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let line = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    return (parts.joined(), line.count - 1, line.last?.utf16.count ?? 0)
  }

  /// Opens text with a marker, and returns the parameters for requests at that place.
  func place(_ path: String, _ marked: String) throws -> [String: Any] {
    let (text, line, character) = Self.marked(marked)
    if texts[path] == nil { try open(path, text) } else { try replace(path, text) }
    return ["textDocument": ["uri": uri(path)], "position": ["line": line, "character": character]]
  }

  // MARK: Answers

  /// The last published diagnostics as `line:character-character CODE`.
  func diagnostics(_ path: String) -> [String] {
    let last = notifications.last { notification in
      notification["method"] as? String == "textDocument/publishDiagnostics"
        && (notification["params"] as? [String: Any])?["uri"] as? String == uri(path)
    }
    let items = (last?["params"] as? [String: Any])?["diagnostics"] as? [[String: Any]] ?? []
    return items.map { "\(Self.range($0["range"])) \($0["code"] ?? "")" }
  }

  static func range(_ value: Any?) -> String {
    let range = value as? [String: [String: Int]] ?? [:]
    let (start, end) = (range["start"] ?? [:], range["end"] ?? [:])
    let first = "\(start["line"] ?? -1):\(start["character"] ?? -1)"
    let last = start["line"] == end["line"] ? "" : "\(end["line"] ?? -1):"
    return "\(first)-\(last)\(end["character"] ?? -1)"
  }

  /// Applies a workspace edit to the open documents and returns the new texts.
  func applying(_ edit: Any) throws -> [String: String] {
    let changes = try #require((edit as? [String: Any])?["documentChanges"] as? [[String: Any]])
    var result = texts
    for change in changes {
      let uri = (change["textDocument"] as? [String: Any])?["uri"] as? String ?? ""
      let path = String(uri.dropFirst(root.absoluteString.count))
      let before = try texts[path] ?? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      let edits = try #require(change["edits"] as? [[String: Any]])
      result[path] = Self.applying(edits, to: before)
    }
    return result
  }

  static func applying(_ edits: [[String: Any]], to text: String) -> String {
    func offset(_ position: [String: Int]?) -> Int {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = min(position?["line"] ?? 0, lines.count)
      return lines[..<line].reduce(0) { $0 + $1.utf16.count + 1 } + (position?["character"] ?? 0)
    }
    var units = Array(text.utf16)
    let sorted = edits.map { edit in
      let range = edit["range"] as? [String: [String: Int]]
      return (start: offset(range?["start"]), end: offset(range?["end"]), text: edit["newText"] as? String ?? "")
    }.sorted { ($0.start, $0.end) > ($1.start, $1.end) }
    for edit in sorted {
      let end = min(edit.end, units.count)
      units.replaceSubrange(min(edit.start, end)..<end, with: edit.text.utf16)
    }
    return String(decoding: units, as: UTF16.self)
  }
}

/// A temporary folder, with a space and non-ASCII letters in its path.
struct Folder {
  let root: URL

  func write(_ path: String, _ text: String) throws {
    let url = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Runs the tool.
  @discardableResult func run(_ arguments: String...) -> SchemaDriver.ExitStatus {
    CommandLineTool.run(arguments, in: root.path).status
  }
}

/// Runs a test with a client in a folder with files.
func serve(
  _ files: [String: String] = [:], snippets: Bool = true, encodings: [String] = [], versions: Bool = true,
  _ body: (ServerClient, Folder) throws -> Void
) throws {
  // A client's URIs contain no symbolic links.
  let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appendingPathComponent("server Ä 旅 \(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: root) }
  let folder = Folder(root: root)
  for (path, text) in files { try folder.write(path, text) }
  try body(ServerClient(root, snippets: snippets, encodings: encodings, versions: versions), folder)
}
