/// What is written on a line where it leaves a card.
struct EdgeLabels: Equatable, Sendable {
  struct Label: Equatable, Sendable {
    var text: String
    /// How it is drawn: the name of a delete rule or of a change.
    var style: String
    var width: Double
  }

  static let size = 10.0
  static let height = 16.0
  static let gap = 4.0
  /// From the card to the first label: room for the marks of the line.
  static let start = 23.0

  private(set) var labels: [Label] = []

  /// - Parameter change: said at one end of a line only.
  init(_ end: DiagramEnd?, change: DiagramChange.Kind?) {
    if let end, end.deleteRule != .nullify { add(end.deleteRule.words, end.deleteRule.rawValue) }
    if let change { add("\(change.symbol) \(change.rawValue)", change.rawValue) }
  }

  private mutating func add(_ text: String, _ style: String) {
    let arrow = 10.0
    let width = TextWidth.proportional(text, size: Self.size, isBold: true) + 10 + arrow
    labels.append(Label(text: text, style: style, width: width.rounded(.up)))
  }

  /// From the card to the end of the last label.
  var extent: Double {
    labels.isEmpty ? Self.start : Self.start + labels.reduce(0) { $0 + $1.width + Self.gap }
  }
}

extension DiagramChange.Kind {
  /// For those who do not see colours.
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
  /// Those at the card it comes from, and those at the card it leads to.
  var labels: (from: EdgeLabels, to: EdgeLabels) {
    (EdgeLabels(source, change: change), EdgeLabels(target, change: nil))
  }
}
