/// Writes a diagram as a Mermaid class diagram, which code hosting sites render.
package struct MermaidDiagram {
  private let diagram: Diagram
  private let names: [String]

  package init(_ diagram: Diagram) {
    self.diagram = diagram
    var taken: Set<String> = []
    names = diagram.nodes.indices.map { index in
      let name = diagram.nodes[index].name
      // Names that consist of ASCII letters and digits can be used as Mermaid identifiers.
      let isPlain =
        name.utf8.allSatisfy { ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) }
        && name.utf8.first.map { $0 >= 0x41 && $0 <= 0x5A } ?? false
        && !Self.reserved.contains(name.lowercased())
      if isPlain, taken.insert(name).inserted { return name }
      return "m_\(index)"
    }
  }

  /// The words that begin a Mermaid statement.
  private static let reserved: Set<String> = [
    "class", "namespace", "note", "style", "click", "link", "links", "callback", "call", "href", "default",
    "direction", "cssclass", "classdef", "classdiagram", "interface", "end", "title", "acctitle", "accdescr",
  ]

  package var text: String {
    var lines = ["---", "title: \"\(Self.quoted(diagram.title))\"", "---", "classDiagram"]
    if diagram.hiddenModels > 0 {
      lines.append("  %% \(diagram.hiddenModels == 1 ? "1 model is" : "\(diagram.hiddenModels) models are") left out")
    }
    for index in diagram.nodes.indices { lines += node(index) }
    lines += diagram.edges.map {
      "  " + $0.text(from: names[$0.from], to: names[$0.to], escape: Self.escaped)
    }
    lines += styles
    return lines.joined(separator: "\n") + "\n"
  }

  private func node(_ index: Int) -> [String] {
    let node = diagram.nodes[index]
    let label = names[index] == node.name && node.change == nil ? "" : "[\"\(Self.escaped(title(node)))\"]"
    var body = node.rows.map { "    \(row($0))" }
    switch node.kind {
    case .model: break
    case .enumeration: body.insert("    <<enumeration>>", at: 0)
    case .structure: body.insert("    <<struct>>", at: 0)
    }
    guard !body.isEmpty else { return ["  class \(names[index])\(label)"] }
    return ["  class \(names[index])\(label) {"] + body + ["  }"]
  }

  private func title(_ node: DiagramNode) -> String { node.name + change(node.change) }

  private func row(_ row: DiagramRow) -> String {
    let marks = row.marks.map(\.words).joined(separator: ", ")
    var text: String
    switch row.kind {
    case .constraint: text = "\(marks): \(row.name)"
    case .enumerationCase: text = row.type.isEmpty ? row.name : "\(row.name) \(row.type)"
    case .attribute, .relationship, .field:
      text = "\(row.name): \(row.type)" + (marks.isEmpty ? "" : " · \(marks)")
    }
    text += change(row.change)
    return Self.escaped(text)
  }

  private func change(_ change: DiagramChange?) -> String {
    guard let change else { return "" }
    let notes = change.notes.joined(separator: ", ")
    return " « \(change.kind.rawValue)\(notes.isEmpty ? "" : ": \(notes)") »"
  }

  private var styles: [String] {
    let colours: [(DiagramChange.Kind, String)] = [
      (.added, "fill:#dafbe1,stroke:#1a7f37,color:#0b3d1a,stroke-width:3px"),
      (.removed, "fill:#ffebe9,stroke:#cf222e,color:#5c0f14,stroke-width:2px,stroke-dasharray:6 4"),
      (.renamed, "fill:#ddf4ff,stroke:#0969da,color:#0a3069,stroke-width:3px"),
      (.changed, "fill:#fff8c5,stroke:#9a6700,color:#4d2d00,stroke-width:2px"),
    ]
    return colours.flatMap { kind, style in
      diagram.nodes.indices.filter { index in
        let node = diagram.nodes[index]
        return (node.change?.kind ?? (node.isChanged ? .changed : nil)) == kind
      }.map { "  style \(names[$0]) \(style)" }
    }
  }

  /// Escapes text for a quoted YAML string.
  private static func quoted(_ text: String) -> String {
    text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }

  /// Writes characters that have a special meaning in Mermaid as numeric entities.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "#", ";", "<", ">", "\"", "{", "}", "(", ")", "~", "&", "`", "*", "$", "\\", "%":
        result += "#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension DiagramRow.Mark {
  /// A short description.
  var words: String {
    switch self {
    case .unique: "unique"
    case .index: "index"
    case .preserved: "preserved"
    case .external: "external file"
    case .transient: "transient"
    case .ephemeral: "ephemeral"
    case .encrypted: "encrypted"
    case .ordered: "ordered"
    }
  }
}

extension DiagramEnd.Rule {
  var words: String { self == .noAction ? "no action" : rawValue }
}
