/// Draws a diagram as SVG.
package struct DiagramDrawing {
  private let diagram: Diagram
  private let layout: DiagramLayout

  package init(_ diagram: Diagram) {
    self.diagram = diagram
    layout = DiagramLayout(diagram)
  }

  /// The height of the title above the cards.
  private static let top = 30.0

  /// The place of a model's card, in fractions of the picture's width and height.
  package struct Place: Encodable, Sendable {
    package let model: String
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double
  }

  /// The places of all models, for links on the picture.
  package var places: [Place] {
    let (width, height) = (layout.width, layout.height + Self.top)
    return zip(diagram.nodes, layout.frames).filter { $0.0.isModel }.map { node, frame in
      Place(
        model: node.name, x: frame.x / width, y: (frame.y + Self.top) / height, width: frame.width / width,
        height: frame.height / height)
    }
  }

  /// The diagram as a separate SVG file.
  package var text: String {
    let top = Self.top
    let (width, height) = (layout.width, layout.height + top)
    let title = MarkupText.escaped(diagram.title)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="diagram" width="\(SVG.number(width))" height="\(SVG.number(height))" \
      viewBox="0 \(SVG.number(-top)) \(SVG.number(width)) \(SVG.number(height))" role="graphics-document document">
      <title>\(title)</title>
      <style>\(DiagramStyle.colours)
      \(DiagramStyle.drawing)</style>
      <rect x="0" y="\(SVG.number(-top))" width="100%" height="100%" style="fill:var(--page)"/>
      <text class="title" x="\(SVG.number(DiagramLayout.margin))" y="10">\(title)</text>
      \(content)</svg>

      """
  }

  /// The diagram as part of an HTML page.
  var embedded: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" class="diagram" viewBox="0 0 \(SVG.number(layout.width)) \(SVG.number(layout.height))" \
    role="graphics-document document" aria-roledescription="diagram" aria-labelledby="title">
    <desc>\(MarkupText.escaped(description))</desc>
    \(content)</svg>
    """
  }

  /// A short summary of the contents.
  var facts: String {
    var parts: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { parts.append("\(count) \(count == 1 ? one : many)") }
    }
    add(diagram.nodes.count { $0.isModel }, "model", "models")
    add(diagram.edges.count { $0.kind == .relationship }, "relationship", "relationships")
    add(diagram.nodes.count { !$0.isModel }, "value type", "value types")
    if diagram.isComparison {
      let changed = diagram.nodes.count { $0.isChanged }
      add(changed, "card changed", "cards changed")
    }
    add(diagram.hiddenModels, "model left out", "models left out")
    return parts.joined(separator: " · ")
  }

  private var description: String {
    "\(facts). Cards show models and properties; lines show relationships, labeled with delete rules except nullify."
  }

  private var content: String {
    let neighbours = neighbours
    var svg = ""
    let drawn = diagram.edges.indices.filter { !layout.paths[$0].isEmpty }
    let lines = drawn.map { index in
      let edge = diagram.edges[index]
      return EdgeDrawing(
        edge: edge, corners: layout.paths[index], from: diagram.nodes[edge.from], to: diagram.nodes[edge.to])
    }
    for caption in layout.captions {
      svg +=
        "<text class=\"caption\" x=\"\(SVG.number(caption.place.x))\" y=\"\(SVG.number(caption.place.y))\">\(MarkupText.escaped(caption.text))</text>\n"
    }
    // Draw the most important lines last, above the remaining lines.
    let order = lines.indices.sorted { a, b in
      let (x, y) = (weight(lines[a].edge), weight(lines[b].edge))
      return x == y ? a < b : x < y
    }
    for index in order { svg += lines[index].line }
    for (index, node) in diagram.nodes.enumerated() {
      svg +=
        CardDrawing(
          node: node, index: index, card: layout.cards[index], frame: layout.frames[index],
          neighbours: neighbours[index]
        ).svg
    }
    for index in order { svg += lines[index].ends }
    return svg
  }

  private func weight(_ edge: DiagramEdge) -> Int {
    (edge.change == nil ? 0 : 4) + (edge.rule == .nullify ? 0 : edge.rule == .cascade ? 2 : 1)
  }

  private var neighbours: [[Int]] {
    var sets: [Set<Int>] = Array(repeating: [], count: diagram.nodes.count)
    for edge in diagram.edges where edge.from != edge.to {
      sets[edge.from].insert(edge.to)
      sets[edge.to].insert(edge.from)
    }
    return sets.map { $0.sorted() }
  }
}
