/// Writes a diagram in the Graphviz language.
package struct DotDiagram {
  private let diagram: Diagram

  package init(_ diagram: Diagram) { self.diagram = diagram }

  package var text: String {
    var lines = [
      "digraph schema {",
      "  graph [rankdir=LR, fontname=\"Helvetica\", labelloc=t, nodesep=0.4, ranksep=1.2, label=\(Self.quoted(caption))];",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11];",
      "  edge [fontname=\"Helvetica\", fontsize=9, dir=both];",
    ]
    lines += diagram.nodes.indices.map { "  n\($0) [label=<\(table(diagram.nodes[$0]))>];" }
    lines += diagram.edges.map { "  \(edge($0))" }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private var caption: String {
    guard diagram.hiddenModels > 0 else { return diagram.title }
    return
      "\(diagram.title) (\(diagram.hiddenModels == 1 ? "1 model is" : "\(diagram.hiddenModels) models are") left out)"
  }

  private func table(_ node: DiagramNode) -> String {
    let colour = Self.colour(node.change?.kind ?? (node.isChanged ? .changed : nil))
    let kind =
      switch node.kind {
      case .model: ""
      case .enumeration: "<I>enum</I> "
      case .structure: "<I>struct</I> "
      }
    let title = "\(kind)<B>\(Self.escaped(node.name))</B>\(change(node.change))"
    var rows = "<TR><TD ALIGN=\"LEFT\" BGCOLOR=\"\(colour.fill)\" COLSPAN=\"2\">\(title)</TD></TR>"
    for (index, row) in node.rows.enumerated() {
      rows += "<TR>\(cells(row, index))</TR>"
    }
    let style = node.change?.kind == .removed ? " STYLE=\"DASHED\"" : ""
    return "<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\" COLOR=\"\(colour.line)\"\(style)>"
      + "\(rows)</TABLE>"
  }

  private func cells(_ row: DiagramRow, _ index: Int) -> String {
    let marks = row.marks.map(\.words).joined(separator: ", ")
    let fill = row.change.map { " BGCOLOR=\"\(Self.colour($0.kind).fill)\"" } ?? ""
    let name = Self.escaped(row.name)
    let left: String
    var right = Self.escaped(row.type)
    switch row.kind {
    case .constraint:
      left = "<I>\(name)</I>"
      right = marks
    case .relationship: left = "→ \(name)"
    case .attribute, .field, .enumerationCase: left = name
    }
    if row.kind != .constraint, !marks.isEmpty { right += right.isEmpty ? marks : " · \(marks)" }
    let title = row.change?.kind == .removed ? "<S>\(left)</S>" : left
    let first = "<TD ALIGN=\"LEFT\"\(fill) PORT=\"r\(index)\">\(title)\(change(row.change))</TD>"
    guard !right.isEmpty else { return first.replacingPrefix("<TD", "<TD COLSPAN=\"2\"") }
    return first + "<TD ALIGN=\"RIGHT\"\(fill) PORT=\"t\(index)\">\(right)</TD>"
  }

  private func change(_ change: DiagramChange?) -> String {
    guard let change else { return "" }
    let notes = change.notes.joined(separator: ", ")
    return " <I>\(Self.escaped("(\(change.kind.rawValue)\(notes.isEmpty ? "" : ": \(notes)"))"))</I>"
  }

  private func edge(_ edge: DiagramEdge) -> String {
    var attributes: [String] = []
    var from = "n\(edge.from)"
    var to = "n\(edge.to)"
    var colour = "#57606a"
    switch edge.kind {
    case .inheritance: attributes += ["arrowtail=empty", "arrowhead=none", "style=bold"]
    case .use: attributes += ["arrowtail=none", "arrowhead=vee", "style=dotted", "constraint=false"]
    case .relationship:
      let rule = edge.rule
      (colour, attributes) = Self.line(rule)
      attributes.append("arrowhead=\(edge.source.map(Self.foot) ?? "none")")
      attributes.append("arrowtail=\(edge.target.map(Self.foot) ?? "none")")
      attributes.append("label=\(Self.quoted(edge.ends.map(Self.label).uniqued().joined(separator: "\n")))")
      if let port = port(edge.source, edge.from, "t") { from += ":\(port)" }
      if let port = port(edge.target, edge.to, "r") { to += ":\(port)" }
    }
    if let change = edge.change {
      colour = Self.colour(change).line
      if edge.kind == .inheritance { attributes.append("label=\(Self.quoted(change.rawValue))") }
      attributes.append("penwidth=2.5")
    }
    attributes += ["color=\"\(colour)\"", "fontcolor=\"\(colour)\""]
    return "\(from) -> \(to) [\(attributes.joined(separator: ", "))];"
  }

  private func port(_ end: DiagramEnd?, _ node: Int, _ side: String) -> String? {
    guard let end else { return nil }
    return diagram.nodes[node].rows.firstIndex { $0.kind == .relationship && $0.name == end.name }
      .map { "\(side)\($0)" }
  }

  private static func label(_ end: DiagramEnd) -> String {
    "\(end.name) \(end.count)" + (end.deleteRule == .nullify ? "" : " \(end.deleteRule.words)")
  }

  /// Returns the crow's foot symbol for a cardinality.
  private static func foot(_ end: DiagramEnd) -> String {
    (end.isToMany ? "crow" : "tee") + (end.isOptional ? "odot" : "tee")
  }

  private static func line(_ rule: DiagramEnd.Rule) -> (String, [String]) {
    switch rule {
    case .nullify: ("#57606a", ["style=solid"])
    case .cascade: ("#b42318", ["style=bold"])
    case .deny: ("#6f42c1", ["style=dashed"])
    case .noAction: ("#9a6700", ["style=dotted"])
    }
  }

  private static func colour(_ change: DiagramChange.Kind?) -> (fill: String, line: String) {
    switch change {
    case nil: ("#eaeef2", "#57606a")
    case .added: ("#dafbe1", "#1a7f37")
    case .removed: ("#ffebe9", "#cf222e")
    case .renamed: ("#ddf4ff", "#0969da")
    case .changed: ("#fff8c5", "#9a6700")
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.value < 0x20: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escaped(_ text: String) -> String {
    MarkupText.escaped(text).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "<BR/>")
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, _ other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}

extension [String] {
  fileprivate func uniqued() -> [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

extension DiagramEdge {
  /// The most significant delete rule at either end.
  var rule: DiagramEnd.Rule {
    let rules = ends.map(\.deleteRule)
    return [.cascade, .deny, .noAction].first { rules.contains($0) } ?? .nullify
  }
}
