/// Writes a diagram as a PlantUML class diagram.
package struct PlantUMLDiagram {
  private let diagram: Diagram

  package init(_ diagram: Diagram) { self.diagram = diagram }

  package var text: String {
    var lines = ["@startuml", "title \(Self.escaped(diagram.title))", "hide empty members"]
    if diagram.hiddenModels > 0 {
      lines.append("' \(diagram.hiddenModels == 1 ? "1 model is" : "\(diagram.hiddenModels) models are") left out")
    }
    for index in diagram.nodes.indices { lines += node(index) }
    lines += diagram.edges.map { $0.text(from: "n\($0.from)", to: "n\($0.to)", escape: Self.escaped) }
    return lines.joined(separator: "\n") + "\n@enduml\n"
  }

  /// The nodes have neutral names, because PlantUML gives periods and other characters in names a meaning.
  private func node(_ index: Int) -> [String] {
    let node = diagram.nodes[index]
    let title = Self.quoted(node.name + Self.change(node.change))
    let (keyword, stereotype) =
      switch node.kind {
      case .model: ("class", "")
      case .enumeration: ("enum", "")
      case .structure: ("class", " <<struct>>")
      }
    let colour = (node.change?.kind ?? (node.isChanged ? .changed : nil)).map { " \(Self.colour($0))" } ?? ""
    let heading = "\(keyword) \(title) as n\(index)\(stereotype)\(colour)"
    guard !node.rows.isEmpty else { return [heading] }
    return [heading + " {"] + node.rows.map { "  {field} \(Self.row($0))" } + ["}"]
  }

  private static func row(_ row: DiagramRow) -> String {
    let marks = row.marks.map(\.words).joined(separator: ", ")
    let text =
      switch row.kind {
      case .constraint: "\(marks): \(row.name)"
      case .enumerationCase: row.type.isEmpty ? row.name : "\(row.name) \(row.type)"
      case .attribute, .relationship, .field:
        "\(row.name): \(row.type)" + (marks.isEmpty ? "" : " · \(marks)")
      }
    return escaped(text + change(row.change))
  }

  private static func change(_ change: DiagramChange?) -> String {
    guard let change else { return "" }
    let notes = change.notes.joined(separator: ", ")
    return " « \(change.kind.rawValue)\(notes.isEmpty ? "" : ": \(notes)") »"
  }

  private static func colour(_ change: DiagramChange.Kind) -> String {
    switch change {
    case .added: "#dafbe1"
    case .removed: "#ffebe9"
    case .renamed: "#ddf4ff"
    case .changed: "#fff8c5"
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Writes everything except letters, digits and harmless punctuation as Unicode escapes, which PlantUML shows as
  /// characters and never reads as markup. `[[` would begin a link, and `//` italics.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isDoubled = result.unicodeScalars.last == scalar && (scalar == "[" || scalar == "/")
      if scalar.value < 0x20 || scalar.value == 0x7F {
        result += " "
      } else if scalar.value > 0x7F || !isDoubled && isPlain(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "<U+\(hexadecimal(scalar.value))>"
      }
    }
    return result
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || " .,:?[]/()".unicodeScalars.contains(scalar)
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
