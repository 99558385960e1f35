/// Rows of text in aligned columns.
///
///     Trip                  Dates              Budget
///     ────────────────────  ─────────────  ──────────
///     A week in Kyōto       12 – 19 Mar      1,250.00
struct Table {
  struct Column {
    var title: String
    var isRight = false
    /// True if the column shrinks on a narrow terminal.
    var shrinks = false
    var style: Style?

    static func left(_ title: String, shrinks: Bool = false, style: Style? = nil) -> Column {
      Column(title: title, shrinks: shrinks, style: style)
    }
    static func right(_ title: String, style: Style? = nil) -> Column {
      Column(title: title, isRight: true, style: style)
    }
  }

  var columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  mutating func add(_ cells: [String]) { rows.append(cells.map(\.printable)) }

  /// - Parameters:
  ///   - width: The terminal width in cells; nil for unlimited width.
  ///   - isColored: True to write styles.
  func render(width: Int?, isColored: Bool) -> String {
    let widths = widths(fitting: width)
    func line(_ cells: [String], _ style: (Column) -> Style?) -> String {
      var text = ""
      for (index, column) in columns.enumerated() {
        let cell = cells[index].truncated(to: widths[index])
        let padding = String(repeating: " ", count: widths[index] - cell.displayWidth)
        let isLast = index == columns.count - 1
        let styled = isColored ? style(column)?.apply(to: cell) ?? cell : cell
        text += column.isRight ? padding + styled : isLast ? styled : styled + padding
        if !isLast { text += Self.gap }
      }
      return text + "\n"
    }
    var text = line(columns.map(\.title)) { _ in .bold }
    text += line(widths.map { String(repeating: "─", count: $0) }) { _ in .dim }
    for row in rows { text += line(row, \.style) }
    return text
  }

  private static let gap = "  "
  /// The minimum width of shrunk columns.
  private static let narrowest = 12

  private func widths(fitting limit: Int?) -> [Int] {
    var widths = columns.map(\.title.displayWidth)
    for row in rows {
      for index in widths.indices { widths[index] = max(widths[index], row[index].displayWidth) }
    }
    guard let limit else { return widths }
    var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - limit
    while excess > 0 {
      let shrinkable = widths.indices.filter { columns[$0].shrinks && widths[$0] > Self.narrowest }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
