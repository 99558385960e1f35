import Foundation
import SchemaCommands
import SchemaServer
import TestSupport

/// An editor that sends random edits and requests to the language server and checks the answers.
struct Editor {
  private var state = ServerState(findHome: SchemaFolder.home(of:))
  private var number = 0
  private let folder: URL
  private let corpus: Corpus
  private(set) var problems: [String] = []
  /// True if the text compiled after an edit.
  private(set) var isCompiled = false
  /// True if a request had a result.
  private(set) var isAnswered = false

  /// - Parameter folder: An empty folder.
  init(_ corpus: Corpus, folder: URL) {
    self.corpus = corpus
    self.folder = folder
    send([
      "id": 0, "method": "initialize",
      "params": ["capabilities": ["textDocument": ["completion": ["completionItem": ["snippetSupport": true]]]]],
    ])
  }

  /// Opens a text, edits it, and asks for everything after each edit.
  mutating func run(_ text: [UInt8], _ random: inout SeededGenerator) {
    problems = []
    isCompiled = false
    isAnswered = false
    let uri = folder.appendingPathComponent("Fuzz.schema").absoluteString
    var units = Array(String(decoding: text, as: UTF8.self).utf16)
    send([
      "method": "textDocument/didOpen",
      "params": [
        "textDocument": [
          "uri": uri, "version": 1, "languageId": "x", "text": String(decoding: units, as: UTF16.self),
        ]
      ],
    ])
    for version in 2...6 {
      let (start, end) = (Self.place(units, &random), Self.place(units, &random))
      let (first, last) = start.offset <= end.offset ? (start, end) : (end, start)
      let new = String(decoding: corpus.words.randomElement(using: &random) ?? [], as: UTF8.self)
      // Most edits are as short as those of a person.
      let final = random.roll(5) == 0 ? last : first
      units.replaceSubrange(first.offset..<final.offset, with: new.utf16)
      let change: [String: Any] = [
        "range": ["start": first.position, "end": final.position], "text": new,
      ]
      send([
        "method": "textDocument/didChange",
        "params": [
          "textDocument": ["uri": uri, "version": version], "contentChanges": [change],
        ],
      ])
      if state.text(of: uri) != String(decoding: units, as: UTF16.self) {
        problems.append("the text differs after an edit")
      }
      ask(uri, Self.place(units, &random).position, &random)
    }
    send(["method": "textDocument/didClose", "params": ["textDocument": ["uri": uri]]])
  }

  private static let methods = [
    "completion", "hover", "definition", "references", "documentHighlight", "documentSymbol", "prepareRename", "rename",
    "codeAction", "formatting", "rangeFormatting", "semanticTokens/full", "foldingRange", "inlayHint", "codeLens",
  ]

  private mutating func ask(_ uri: String, _ position: [String: Int], _ random: inout SeededGenerator) {
    for _ in 0..<3 {
      number += 1
      let method = random.pick(Self.methods)
      let parameters: [String: Any] = [
        "textDocument": ["uri": uri], "position": position, "newName": "renamed",
        "range": ["start": ["line": 0, "character": 0], "end": position], "context": ["includeDeclaration": true],
      ]
      let answers = send(["id": number, "method": "textDocument/\(method)", "params": parameters])
      if let list = answers.first?["result"] as? [Any], !list.isEmpty { isAnswered = true }
      let count = answers.count { $0["id"] as? Int == number }
      if count != 1 { problems.append("\(method) has \(count) answers") }
      if let error = answers.first?["error"] as? [String: Any], error["code"] as? Int == -32603 {
        problems.append("\(method): \(error["message"] ?? "")")
      }
    }
  }

  /// The offsets at which lines begin and end.
  private static func lines(_ units: [UInt16]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    var index = 0
    while index < units.count {
      let isPair = units[index] == 0x0D && index + 1 < units.count && units[index + 1] == 0x0A
      if units[index] == 0x0A || units[index] == 0x0D {
        lines.append(start..<index)
        start = index + (isPair ? 2 : 1)
      }
      index += isPair ? 2 : 1
    }
    return lines + [start..<units.count]
  }

  /// A position, which may be behind the end of its line, and its offset.
  private static func place(
    _ units: [UInt16], _ random: inout SeededGenerator
  ) -> (
    position: [String: Int], offset: Int
  ) {
    let lines = lines(units)
    let line = random.roll(lines.count)
    var character = random.roll(lines[line].count + 2)
    // A client never divides a character of two units.
    let index = lines[line].lowerBound + character
    if index < lines[line].upperBound, UTF16.isTrailSurrogate(units[index]) { character -= 1 }
    return (["line": line, "character": character], min(lines[line].lowerBound + character, lines[line].upperBound))
  }

  @discardableResult private mutating func send(_ message: [String: Any]) -> [[String: Any]] {
    guard let body = try? JSONSerialization.data(withJSONObject: message) else { return [] }
    let isEdit = message["method"] as? String == "textDocument/didChange"
    var events: [ServerEvent] = [.message(body), .idle]
    var answers: [[String: Any]] = []
    while !events.isEmpty {
      for effect in Server.handle(events.removeFirst(), &state) {
        switch effect {
        case .send(let message):
          guard let answer = try? JSONSerialization.jsonObject(with: message.body) as? [String: Any] else {
            problems.append("a message is not JSON")
            continue
          }
          answers.append(answer)
          let diagnostics = (answer["params"] as? [String: Any])?["diagnostics"] as? [[String: Any]]
          let isError = { (item: [String: Any]) in item["severity"] as? Int == 1 }
          if isEdit, let diagnostics, !diagnostics.contains(where: isError) { isCompiled = true }
        case .read(let folder): events.insert(.read(folder: folder, LintedFolder.read(folder)), at: 0)
        case .exit: problems.append("the server exits")
        }
      }
    }
    return answers
  }
}
