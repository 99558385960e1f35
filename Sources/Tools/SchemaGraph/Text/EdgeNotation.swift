/// The notation for relations between classes that Mermaid and PlantUML share.
extension DiagramEdge {
  /// Returns an edge between two identifiers.
  ///
  /// - Parameter escape: Escapes a label.
  func text(from: String, to: String, escape: (String) -> String) -> String {
    let change = change.map { " « \($0.rawValue) »" } ?? ""
    switch kind {
    case .inheritance: return "\(from) <|-- \(to)" + (change.isEmpty ? "" : " :\(change)")
    case .use: return "\(from) ..> \(to)"
    case .relationship:
      guard let source else { return "\(from) -- \(to)" }
      let back = target.map { "\"\($0.count)\" " } ?? ""
      var label = source.label
      if let target, target.name != source.name || self.from != self.to { label += " / \(target.label)" }
      let isWeak = source.deleteRule == .noAction || source.deleteRule == .deny
      let line = isWeak ? ".." : "--"
      let start = source.deleteRule == .cascade ? "*" : ""
      let end = target == nil ? ">" : target?.deleteRule == .cascade ? "*" : ""
      return "\(from) \(back)\(start)\(line)\(end) \"\(source.count)\" \(to) : \(escape(label + change))"
    }
  }
}

extension DiagramEnd {
  fileprivate var label: String { deleteRule == .nullify ? name : "\(name) (\(deleteRule.words))" }
}
