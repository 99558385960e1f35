/// A card's size and row positions.
struct Card: Equatable, Sendable {
  static let headerHeight = 34.0
  static let rowHeight = 22.0
  static let noteHeight = 15.0
  static let nameSize = 13.0
  static let typeSize = 11.5
  static let headerSize = 14.0
  static let chipSize = 9.5
  static let noteSize = 10.5
  /// The space to the left of names for a relationship dot or a change symbol.
  static let gutter = 24.0
  static let padding = 12.0
  /// The maximum name length. The card's tooltip contains the whole name.
  static let longestName = 34
  static let longestType = 30
  static let longestNote = 58

  struct Row: Equatable, Sendable {
    /// The vertical middle of the first line, from the card's top.
    var middle: Double
    var top: Double
    var height: Double
    /// The first chip's left edge, from the card's left edge.
    var chips: Double
  }

  private(set) var width: Double
  private(set) var height: Double
  private(set) var rows: [Row] = []
  /// The positions of notes about the whole card, from the card's top.
  private(set) var notes: [Double] = []

  init(_ node: DiagramNode) {
    let kind = node.isModel ? 0 : TextWidth.proportional(node.kind.rawValue, size: 10) + 16
    let mark = node.change == nil ? 0 : 26.0
    let title = TextWidth.fit(node.name, Self.longestName + 6)
    var widest =
      Self.padding * 2 + TextWidth.proportional(title, size: Self.headerSize, isBold: true) + kind + mark
    var y = Self.headerHeight
    for note in node.change?.notes ?? [] {
      notes.append(y + Self.noteHeight / 2 - 1)
      y += Self.noteHeight
      widest = max(widest, Self.noteWidth(note) + Self.padding * 2)
    }
    if !notes.isEmpty { y += 4 }
    y += node.rows.isEmpty ? 0 : 4
    for row in node.rows {
      let name = TextWidth.proportional(TextWidth.fit(row.name, Self.longestName), size: Self.nameSize)
      let chips = Self.gutter + name + 6
      let type =
        row.type.isEmpty ? 0 : TextWidth.monospaced(TextWidth.fit(row.type, Self.longestType), size: Self.typeSize) + 14
      widest = max(widest, chips + row.marks.reduce(0) { $0 + Self.chipWidth($1) + 4 } + type + Self.padding)
      let notes = row.change?.notes ?? []
      for note in notes { widest = max(widest, Self.gutter + Self.noteWidth(note) + Self.padding) }
      let height = Self.rowHeight + Double(notes.count) * Self.noteHeight
      rows.append(Row(middle: y + Self.rowHeight / 2, top: y, height: height, chips: chips))
      y += height
    }
    width = max(widest.rounded(.up), 132)
    height = y + (node.rows.isEmpty ? 0 : 6)
  }

  static func chipWidth(_ mark: DiagramRow.Mark) -> Double {
    TextWidth.proportional(mark.chip, size: chipSize) + 9
  }

  private static func noteWidth(_ note: String) -> Double {
    TextWidth.proportional(TextWidth.fit(note, longestNote), size: noteSize)
  }
}

extension DiagramRow.Mark {
  /// The short label that follows a name.
  var chip: String {
    switch self {
    case .unique: "unique"
    case .index: "index"
    case .preserved: "kept"
    case .external: "file"
    case .transient: "transient"
    case .ephemeral: "ephemeral"
    case .encrypted: "encrypted"
    case .ordered: "ordered"
    }
  }

  /// The explanation in the legend.
  var explanation: String {
    switch self {
    case .unique: "no two objects have the same value"
    case .index: "indexed"
    case .preserved: "the history preserves the value after deletion"
    case .external: "may be stored in a separate file"
    case .transient: "never stored"
    case .ephemeral: "observed, never stored"
    case .encrypted: "marked for iCloud encryption, stored unencrypted"
    case .ordered: "keeps the member order"
    }
  }
}
