/// The legend for a diagram's lines, marks and colors.
struct Legend {
  let diagram: Diagram

  var html: String {
    let rules = Set(diagram.edges.flatMap { $0.ends.map(\.deleteRule) })
    let ends = diagram.edges.flatMap(\.ends)
    var rows = ""
    let meanings: [(DiagramEnd.Rule, String)] = [
      (.nullify, "nullify: deleting either side clears the reference"),
      (.cascade, "cascade: deleting this side deletes the opposite side"),
      (.deny, "deny: this side cannot be deleted while the opposite side exists"),
      (.noAction, "no action: the opposite side is not changed"),
    ]
    for (rule, meaning) in meanings where rules.contains(rule) {
      rows += row(#"<g class="edge \#(rule.rawValue)"><path class="line" d="M2 10H60"/></g>"#, meaning)
    }
    if diagram.edges.contains(where: { $0.kind == .inheritance }) {
      rows += row(
        #"<g class="edge inheritance"><path class="line" d="M12 10H60"/><path class="triangle" d="M2 10l12 -7v14z"/></g>"#,
        "a class and a subclass")
    }
    let foot = "<path class=\"line\" d=\"M2 10H60\"/>"
    if ends.contains(where: \.isToMany) {
      rows += row(
        #"<g class="edge nullify">\#(foot)<path class="foot" d="M60 4L49 10L60 16"/><circle class="ring" cx="44" cy="10" r="3.6"/></g>"#,
        "any number of objects")
    }
    if ends.contains(where: { !$0.isToMany && $0.isOptional }) {
      rows += row(
        #"<g class="edge nullify">\#(foot)<path class="foot" d="M53 4v12"/><circle class="ring" cx="47" cy="10" r="3.6"/></g>"#,
        "zero or one")
    }
    if ends.contains(where: { !$0.isOptional }) {
      rows += row(#"<g class="edge nullify">\#(foot)<path class="foot" d="M53 4v12M49 4v12"/></g>"#, "at least one")
    }
    if diagram.edges.contains(where: { $0.kind == .relationship && $0.target == nil }) {
      rows += row(
        #"<g class="edge nullify">\#(foot)<circle class="start" cx="4" cy="10" r="2.6"/></g>"#,
        "starts here; the destination has no inverse")
    }
    if diagram.isComparison {
      for kind in [DiagramChange.Kind.added, .removed, .renamed, .changed] {
        rows += row(
          #"<rect class="pill \#(kind.rawValue)" x="2" y="2" width="58" height="16" rx="8"/><text class="pill \#(kind.rawValue)" x="31" y="13.5">\#(kind.symbol)</text>"#,
          kind.rawValue)
      }
    }
    let marks = Set(diagram.nodes.flatMap { $0.rows.flatMap(\.marks) })
    for mark in DiagramRow.Mark.allCases where marks.contains(mark) {
      rows += "<dt class=\"word\">\(mark.chip)</dt><dd>\(mark.explanation)</dd>\n"
    }
    rows += "<dt><kbd>/</kbd> <kbd>↵</kbd></dt><dd>search, next</dd>\n"
    rows += "<dt><kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd></dt><dd>zoom, fit all; arrow keys pan</dd>\n"
    return "<details><summary>Legend</summary><dl class=\"legend\">\n\(rows)</dl></details>"
  }

  private func row(_ sample: String, _ text: String) -> String {
    "<dt><svg class=\"diagram\" viewBox=\"0 0 62 20\" aria-hidden=\"true\">\(sample)</svg></dt><dd>\(text)</dd>\n"
  }
}
