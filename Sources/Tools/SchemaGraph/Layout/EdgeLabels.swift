/// An edge's labels at a card.
struct EdgeLabels: Equatable, Sendable {
  struct Label: Equatable, Sendable {
    var text: String
    /// The style class: the name of a delete rule or change kind.
    var style: String
    var width: Double
  }

  static let size = 10.0
  static let height = 16.0
  static let gap = 4.0
  /// The distance from the card to the first label, which leaves space for the edge's marks.
  static let start = 23.0

  private(set) var labels: [Label] = []

  /// - Parameter change: The edge's change, shown at a single end.
  init(_ end: DiagramEnd?, change: DiagramChange.Kind?) {
    if let end, end.deleteRule != .nullify { add(end.deleteRule.words, end.deleteRule.rawValue) }
    if let change { add("\(change.symbol) \(change.rawValue)", change.rawValue) }
  }

  private mutating func add(_ text: String, _ style: String) {
    let arrow = 10.0
    let width = TextWidth.proportional(text, size: Self.size, isBold: true) + 10 + arrow
    labels.append(Label(text: text, style: style, width: width.rounded(.up)))
  }

  /// The distance from the card to the end of the last label.
  var extent: Double {
    labels.isEmpty ? Self.start : Self.start + labels.reduce(0) { $0 + $1.width + Self.gap }
  }
}

extension DiagramChange.Kind {
  /// A symbol in addition to the color, for readers who cannot distinguish colors.
  var symbol: String {
    switch self {
    case .added: "+"
    case .removed: "−"
    case .renamed: "↦"
    case .changed: "~"
    }
  }
}

extension DiagramEdge {
  /// The labels at the start card and at the end card.
  var labels: (from: EdgeLabels, to: EdgeLabels) {
    (EdgeLabels(source, change: change), EdgeLabels(target, change: nil))
  }
}
