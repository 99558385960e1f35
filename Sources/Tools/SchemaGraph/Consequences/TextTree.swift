/// A text line with child lines.
struct TextTree {
  var line: String
  var below: [TextTree] = []

  /// The text with branches such as `├─ …`.
  var text: String {
    var result = line + "\n"
    draw(below, "", &result)
    return result
  }

  private func draw(_ trees: [TextTree], _ indent: String, _ result: inout String) {
    for (index, tree) in trees.enumerated() {
      let isLast = index == trees.count - 1
      result += "\(indent)\(isLast ? "└─" : "├─") \(tree.line)\n"
      draw(tree.below, indent + (isLast ? "   " : "│  "), &result)
    }
  }
}
