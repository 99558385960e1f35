import SchemaDiagnostics

/// Findings as a JUnit report: a suite for each file, a failed test for each finding, and a passed test for a file
/// that has no findings.
enum JUnitReport {
  static func text(_ result: LintResult) -> String {
    let places = ReportPlaces(result.files)
    let byFile = Dictionary(grouping: result.open) { $0.range.file }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let total = result.files.indices.reduce(0) { $0 + max(byFile[$1]?.count ?? 0, 1) }
    text += "<testsuites name=\"trellis lint\" tests=\"\(total)\" failures=\"\(result.open.count)\" errors=\"0\">\n"
    for file in result.files.indices {
      let found = byFile[file] ?? []
      let path = escaped(places.path(file))
      text +=
        "  <testsuite name=\"\(path)\" tests=\"\(max(found.count, 1))\" failures=\"\(found.count)\" errors=\"0\">\n"
      if found.isEmpty { text += "    <testcase classname=\"\(path)\" name=\"no findings\"/>\n" }
      for diagnostic in found {
        let place = places.position(diagnostic.range.start, in: file)
        let where_ = "\(places.path(file)):\(place.line):\(place.column)"
        let words = [where_ + ": " + diagnostic.message, diagnostic.help].compactMap { $0 }.joined(separator: "\n")
        text +=
          "    <testcase classname=\"\(path)\" name=\"\(escaped("\(diagnostic.id) at \(place.line):\(place.column)"))\">\n"
        text += "      <failure type=\"\(diagnostic.severity.rawValue)\" message=\"\(escaped(diagnostic.message))\">"
        text += "\(escaped(words))</failure>\n    </testcase>\n"
      }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  /// Escapes text for XML and replaces characters that XML forbids.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}
