/// The points where edges leave cards: at the relationship row or at the header.
struct Ports {
  private let diagram: Diagram
  private let cards: [Card]
  private var atHeader: [Int: Int] = [:]

  init(_ diagram: Diagram, cards: [Card]) {
    self.diagram = diagram
    self.cards = cards
  }

  /// Returns the offset from the card's top.
  mutating func offset(of end: DiagramEnd?, of edge: DiagramEdge, at node: Int) -> Double {
    if edge.kind == .inheritance, node == edge.from { return Card.headerHeight / 2 }
    if let end {
      let wasRemoved = edge.change == .removed
      let found = diagram.nodes[node].rows.indices.filter { index in
        let row = diagram.nodes[node].rows[index]
        return row.kind == .relationship && row.name == end.name
      }
      let row =
        found.first { (diagram.nodes[node].rows[$0].change?.kind == .removed) == wasRemoved } ?? found.first
      if let row { return cards[node].rows[row].middle }
    }
    let count = atHeader[node, default: 0]
    atHeader[node] = count + 1
    let places = [0.32, 0.68, 0.5, 0.22, 0.78, 0.41, 0.59]
    return (Card.headerHeight * places[count % places.count]).rounded()
  }
}
