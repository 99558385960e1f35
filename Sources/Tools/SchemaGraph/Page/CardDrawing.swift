/// Draws a card as SVG.
struct CardDrawing {
  let node: DiagramNode
  let index: Int
  let card: Card
  let frame: Rectangle
  /// The indices of connected cards.
  let neighbours: [Int]

  var svg: String {
    let width = SVG.number(frame.width)
    let height = SVG.number(frame.height)
    let change = node.change.map { " \($0.kind.rawValue)" } ?? ""
    var svg = """
      <g class="card \(node.kind.rawValue)\(change)" id="c\(index)" data-n="\(neighbours.map(String.init).joined(separator: " "))" \
      data-q="\(escaped(node.name.lowercased()))" tabindex="0" role="group" aria-label="\(escaped(label))" \
      transform="translate(\(SVG.number(frame.x)) \(SVG.number(frame.y)))">
      """
    svg += "<title>\(escaped(title))</title>"
    svg += "<rect class=\"box\" width=\"\(width)\" height=\"\(height)\" rx=\"9\"/>"
    svg += header
    for (row, place) in zip(node.rows, card.rows) { svg += draw(row, place) }
    // Draw the border above the contents.
    svg += "<rect class=\"rim\" width=\"\(width)\" height=\"\(height)\" rx=\"9\"/>"
    return svg + "</g>\n"
  }

  private var header: String {
    let width = frame.width
    let bottom = node.rows.isEmpty && card.notes.isEmpty ? "a9 9 0 0 1 -9 9H9a9 9 0 0 1 -9 -9z" : "v9H0v-9z"
    var svg =
      "<path class=\"head\" d=\"M0 \(SVG.number(Card.headerHeight - 9))V9a9 9 0 0 1 9 -9H\(SVG.number(width - 9))a9 9 0 0 1 9 9V\(SVG.number(Card.headerHeight - 9))\(bottom)\"/>"
    let name = TextWidth.fit(node.name, Card.longestName + 6)
    let symbol = node.change.map { $0.kind.symbol + " " } ?? ""
    // At low zoom levels, only large names are readable, so the name fills the card.
    let em = TextWidth.proportional(symbol + name, size: 1, isBold: true)
    let far = min(44, (frame.width - Card.padding * 1.5) / max(em, 1), frame.height * 0.7)
    svg +=
      "<text class=\"name\" style=\"--far:\(SVG.number(far))px\" x=\"\(SVG.number(Card.padding))\" y=\"\(SVG.number(Card.headerHeight / 2 + 5))\">\(escaped(symbol + name))</text>"
    if !node.isModel {
      svg += text("kind", frame.width - Card.padding, Card.headerHeight / 2 + 4, node.kind.rawValue, limit: nil)
    }
    for (note, middle) in zip(node.change?.notes ?? [], card.notes) {
      svg += text("note", Card.padding, middle + 4, TextWidth.fit(note, Card.longestNote), limit: nil)
    }
    return svg
  }

  private func draw(_ row: DiagramRow, _ place: Card.Row) -> String {
    let change = row.change.map { " \($0.kind.rawValue)" } ?? ""
    var svg =
      "<g class=\"row \(row.kind.rawValue)\(change)\" data-q=\"\(escaped("\(row.name) \(row.type)".lowercased()))\">"
    svg += "<title>\(escaped(title(of: row)))</title>"
    svg +=
      "<rect class=\"back\" x=\"1\" y=\"\(SVG.number(place.top))\" width=\"\(SVG.number(frame.width - 2))\" height=\"\(SVG.number(place.height))\"/>"
    let baseline = place.middle + 4.5
    if let kind = row.change?.kind {
      svg += text("mark", Card.gutter / 2, baseline, kind.symbol, limit: nil)
    } else if row.kind == .relationship {
      svg += "<circle class=\"dot\" cx=\"\(SVG.number(Card.gutter / 2))\" cy=\"\(SVG.number(place.middle))\" r=\"3\"/>"
    }
    let name = TextWidth.fit(row.name, Card.longestName)
    let room = TextWidth.proportional(name, size: Card.nameSize)
    svg += text("n", Card.gutter, baseline, name, limit: room)
    var x = place.chips
    for mark in row.marks {
      let width = Card.chipWidth(mark)
      svg +=
        "<rect class=\"chip \(mark.rawValue)\" x=\"\(SVG.number(x))\" y=\"\(SVG.number(place.middle - 7))\" width=\"\(SVG.number(width))\" height=\"14\" rx=\"7\"/>"
      svg += text("chip", x + width / 2, place.middle + 3.3, mark.chip, limit: nil)
      x += width + 4
    }
    if !row.type.isEmpty {
      svg += text(
        "t", frame.width - Card.padding, baseline - 0.5, TextWidth.fit(row.type, Card.longestType), limit: nil)
    }
    for (index, note) in (row.change?.notes ?? []).enumerated() {
      let y = place.top + Card.rowHeight + Double(index) * Card.noteHeight + 9
      svg += text("note", Card.gutter, y, TextWidth.fit(note, Card.longestNote), limit: nil)
    }
    return svg + "</g>"
  }

  /// - Parameter limit: The maximum width. The page condenses the text if the browser font is wider.
  private func text(_ style: String, _ x: Double, _ y: Double, _ text: String, limit: Double?) -> String {
    let room = limit.map { " data-w=\"\(SVG.number($0))\"" } ?? ""
    return "<text class=\"\(style)\" x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\"\(room)>\(escaped(text))</text>"
  }

  private func escaped(_ text: String) -> String { MarkupText.escaped(text) }

  /// The label for screen readers.
  private var label: String {
    let kind = node.kind.rawValue
    let change = node.change.map { ", \($0.kind.rawValue) \($0.notes.joined(separator: ", "))" } ?? ""
    let rows = node.rows.map { row in
      ([row.name, row.type] + row.marks.map(\.words)).filter { !$0.isEmpty }.joined(separator: " ")
    }
    return "\(kind) \(node.name)\(change): \(rows.joined(separator: ", "))"
  }

  private var title: String {
    let change = node.change.map { "\($0.kind.rawValue) \($0.notes.joined(separator: "\n"))" }
    return ["\(node.kind.rawValue) \(node.name)", change, node.documentation].compactMap { $0 }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func title(of row: DiagramRow) -> String {
    let change = row.change.map { change in
      ([change.kind.rawValue] + change.notes).joined(separator: ", ")
    }
    let name = row.type.isEmpty || row.kind == .enumerationCase ? "\(row.name) \(row.type)" : "\(row.name): \(row.type)"
    let marks = row.marks.map { "\($0.words): \($0.explanation)" }
    return ([name, change, row.documentation].compactMap { $0 } + marks).filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}

enum SVG {
  /// Formats a number with at most one decimal.
  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded()
    guard tenths.isFinite, abs(tenths) < 1e12 else { return "0" }
    let whole = Int(tenths)
    if whole % 10 == 0 { return "\(whole / 10)" }
    let sign = whole < 0 ? "-" : ""
    return "\(sign)\(abs(whole) / 10).\(abs(whole) % 10)"
  }
}
