/// Draws an edge between two cards as SVG.
struct EdgeDrawing {
  let edge: DiagramEdge
  let corners: [Point]
  let from: DiagramNode
  let to: DiagramNode

  private var attributes: String {
    let style = edge.kind == .inheritance ? "inheritance" : edge.rule.rawValue
    let change = edge.change.map { " \($0.rawValue)" } ?? ""
    return "class=\"edge \(style)\(change)\" data-a=\"\(edge.from)\" data-b=\"\(edge.to)\""
  }

  /// The line, drawn below all remaining parts.
  var line: String {
    let path = Self.path(corners)
    return "<g \(attributes)><title>\(MarkupText.escaped(title))</title><path class=\"wide\" d=\"\(path)\"/>"
      + "<path class=\"line\" d=\"\(path)\"/></g>\n"
  }

  /// The marks and labels at both ends.
  var ends: String {
    guard let first = corners.first, let last = corners.last, corners.count > 1 else { return "" }
    let start = corners[1].x >= first.x ? 1.0 : -1.0
    let end = corners[corners.count - 2].x >= last.x ? 1.0 : -1.0
    var svg = ""
    switch edge.kind {
    case .use: break
    case .inheritance:
      svg +=
        "<path class=\"triangle\" d=\"M\(at(first.x)) \(at(first.y))l\(at(start * 12)) -7v14z\"/>"
      svg += labels(edge.labels.from, first, start)
    case .relationship:
      svg += mark(edge.target, first, start) + mark(edge.source, last, end)
      svg += labels(edge.labels.from, first, start)
      // Label a relationship that is its own inverse only once.
      if edge.from != edge.to || edge.source?.name != edge.target?.name {
        svg += labels(edge.labels.to, last, end)
      }
    }
    return svg.isEmpty ? "" : "<g \(attributes)>\(svg)</g>\n"
  }

  /// Returns the cardinality mark at an end.
  private func mark(_ end: DiagramEnd?, _ place: Point, _ side: Double) -> String {
    guard let end else { return "<circle class=\"start\" cx=\"\(at(place.x))\" cy=\"\(at(place.y))\" r=\"2.6\"/>" }
    let (x, y) = (place.x, place.y)
    var path: String
    if end.isToMany {
      path = "M\(at(x)) \(at(y - 6))L\(at(x + side * 11)) \(at(y))L\(at(x)) \(at(y + 6))"
    } else {
      path = "M\(at(x + side * 7)) \(at(y - 6))v12"
    }
    let next = x + side * (end.isToMany ? 14.5 : 11)
    if end.isOptional {
      return
        "<path class=\"foot\" d=\"\(path)\"/><circle class=\"ring\" cx=\"\(at(next + side * 1.5))\" cy=\"\(at(y))\" r=\"3.6\"/>"
    }
    path += "M\(at(next)) \(at(y - 6))v12"
    return "<path class=\"foot\" d=\"\(path)\"/>"
  }

  private func labels(_ labels: EdgeLabels, _ place: Point, _ side: Double) -> String {
    var x = place.x + side * EdgeLabels.start
    var svg = ""
    for label in labels.labels {
      let left = side > 0 ? x : x - label.width
      svg +=
        "<rect class=\"pill \(label.style)\" x=\"\(at(left))\" y=\"\(at(place.y - EdgeLabels.height / 2))\" width=\"\(at(label.width))\" height=\"\(at(EdgeLabels.height))\" rx=\"8\"/>"
      let isRule = DiagramEnd.Rule(rawValue: label.style) != nil
      let text = !isRule ? label.text : side > 0 ? "\(label.text) ▸" : "◂ \(label.text)"
      svg +=
        "<text class=\"pill \(label.style)\" x=\"\(at(left + label.width / 2))\" y=\"\(at(place.y + 3.5))\">\(MarkupText.escaped(text))</text>"
      x += side * (label.width + EdgeLabels.gap)
    }
    return svg
  }

  private var title: String {
    switch edge.kind {
    case .inheritance: return "\(to.name) inherits from \(from.name)"
    case .use: return "\(from.name) stores \(to.name) values"
    case .relationship:
      var lines: [String] = []
      if let source = edge.source { lines.append(Self.sentence(source, from, to)) }
      if let target = edge.target, target.name != edge.source?.name || edge.from != edge.to {
        lines.append(Self.sentence(target, to, from))
      }
      if let change = edge.change { lines.append(change.rawValue) }
      return lines.joined(separator: "\n")
    }
  }

  /// Returns a sentence such as `Trip.stops refers to 0..* Stop; deleting a Trip deletes them`.
  private static func sentence(_ end: DiagramEnd, _ owner: DiagramNode, _ other: DiagramNode) -> String {
    let them = end.isToMany ? "them" : "it"
    let rule =
      switch end.deleteRule {
      case .nullify: "clears the reference"
      case .cascade: "deletes \(them)"
      case .deny: "is denied while any exist"
      case .noAction: "leaves \(them) unchanged"
      }
    return "\(owner.name).\(end.name) refers to \(end.count) \(other.name); deleting a \(owner.name) \(rule)"
  }

  /// Returns the SVG path with rounded corners.
  static func path(_ corners: [Point]) -> String {
    let points = simplified(corners)
    guard let first = points.first else { return "" }
    var path = "M\(SVG.number(first.x)) \(SVG.number(first.y))"
    for index in points.indices.dropFirst() {
      let point = points[index]
      guard index + 1 < points.count else {
        path += "L\(SVG.number(point.x)) \(SVG.number(point.y))"
        break
      }
      let (before, after) = (points[index - 1], points[index + 1])
      let radius = min(8, length(before, point) / 2, length(point, after) / 2)
      let start = toward(point, before, radius)
      let end = toward(point, after, radius)
      path += "L\(SVG.number(start.x)) \(SVG.number(start.y))"
      path += "Q\(SVG.number(point.x)) \(SVG.number(point.y)) \(SVG.number(end.x)) \(SVG.number(end.y))"
    }
    return path
  }

  /// Removes intermediate points on straight lines.
  private static func simplified(_ corners: [Point]) -> [Point] {
    var points: [Point] = []
    for point in corners where points.last != point {
      if points.count > 1 {
        let (a, b) = (points[points.count - 2], points[points.count - 1])
        if (a.y == b.y && b.y == point.y) || (a.x == b.x && b.x == point.x) { points.removeLast() }
      }
      points.append(point)
    }
    return points
  }

  private static func length(_ a: Point, _ b: Point) -> Double { abs(a.x - b.x) + abs(a.y - b.y) }

  private static func toward(_ from: Point, _ to: Point, _ distance: Double) -> Point {
    let whole = length(from, to)
    guard whole > 0 else { return from }
    let part = distance / whole
    return Point(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part)
  }

  private func at(_ value: Double) -> String { SVG.number(value) }
}
