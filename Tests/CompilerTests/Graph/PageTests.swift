import Foundation
import SchemaDiagnostics
import SchemaModel
import TestSupport
import Testing

@testable import SchemaGraph

/// Tests of the page and the SVG image.
struct PageTests {
  @Test func schemaTextIsEscapedInMarkup() throws {
    let diagram = Diagram([try diagramSchema(Texts.hostile)])
    for text in [DiagramPage(diagram).text, DiagramDrawing(diagram).text] {
      #expect(!text.contains("alert(\"1\")"))
      #expect(text.contains("&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"))
      #expect(text.contains("Measurement&lt;UnitLength, Int&gt;?"))
      #expect(text.contains("größe") && text.contains("旅行"))
    }
    let page = DiagramPage(diagram).text
    #expect(page.split(separator: "<script").count == 2)
    #expect(page.split(separator: "</script>").count == 2)
  }

  /// The page is one file and permits no requests.
  @Test func thePageMakesNoNetworkRequests() throws {
    let page = DiagramPage(Diagram([try diagramSchema(Texts.trips)])).text
    #expect(page.contains("default-src 'none'"))
    let addresses = page.split(separator: "http").dropFirst().map { $0.prefix(20) }
    #expect(addresses.allSatisfy { $0.hasPrefix("://www.w3.org/2000") || $0.hasPrefix("-equiv") }, "\(addresses)")
    for word in ["<link", "<img", "url(", "@import", "@font-face", "src=", "fetch(", "XMLHttpRequest", "innerHTML"] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test func allElementsAreClosed() throws {
    for text in [Texts.trips, Texts.hostile] {
      let drawing = DiagramDrawing(Diagram([try diagramSchema(text)])).text
      #expect(unclosed(drawing) == [])
    }
    let change = Diagram(comparing: [[try diagramSchema(Texts.trips), try diagramSchema(Texts.later)]])
    #expect(unclosed(DiagramDrawing(change).text) == [])
  }

  @Test func everyRuleIsReadableWithoutColours() throws {
    let drawing = DiagramDrawing(Diagram([try diagramSchema(Texts.trips)])).text
    for rule in ["cascade", "deny", "no action"] {
      #expect(drawing.contains(">\(rule) ▸<") || drawing.contains(">◂ \(rule)<"), "\(rule)")
    }
    #expect(drawing.contains("Trip.stops refers to 0..* Stop; deleting a Trip deletes them"))
  }

  @Test func changesAreDescribed() throws {
    let diagram = Diagram(comparing: [[try diagramSchema(Texts.trips), try diagramSchema(Texts.later)]])
      .focusedOnChanges(depth: 1)
    let drawing = DiagramDrawing(diagram).text
    for text in [
      ">+ Ticket<", ">− Cruise<", ">↦ Journey<", ">was &#39;Trip&#39;<",
      "type changed from &#39;Date&#39; to &#39;Date?&#39;",
      ">+ added<", ">− removed<",
    ] { #expect(drawing.contains(text), "\(text)") }
    let page = DiagramPage(
      Diagram(comparing: [[try diagramSchema(Texts.trips), try diagramSchema(Texts.trips)]]).focusedOnChanges(depth: 1)
    ).text
    #expect(page.contains("Nothing has changed."))
  }

  /// To update the image, run `trellis graph --output Sources/Runtime/Trellis/Trellis.docc/Resources/SampleTrips.svg
  /// Schemas/SampleTrips`.
  @Test func theArticlesImageIsCurrent() throws {
    let root = Repository.root
    func read(_ path: String) throws -> String { try String(contentsOf: root.appending(path: path), encoding: .utf8) }
    let sample = try diagramSchema(try read("Schemas/SampleTrips/SampleTrips.schema"))
    #expect(
      DiagramDrawing(Diagram([sample])).text
        == (try read("Sources/Runtime/Trellis/Trellis.docc/Resources/SampleTrips.svg")))
  }

  @Test func numberFormatting() {
    let cases: [(Double, String)] = [(0, "0"), (1.25, "1.3"), (-0.5, "-0.5"), (-12, "-12"), (1e300, "0"), (.nan, "0")]
    for (value, text) in cases { #expect(SVG.number(value) == text) }
  }

  @Test func controlCharactersAreReplaced() {
    #expect(
      MarkupText.escaped("a\u{0}b\u{202E}c\u{7}\nd<&>\"'") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}\nd&lt;&amp;&gt;&quot;&#39;")
  }

  /// Returns the names of unclosed elements in otherwise well-formed markup.
  private func unclosed(_ text: String) -> [String] {
    var open: [String] = []
    for part in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
      let name = String(part.prefix { !" />\n".contains($0) })
      if part.hasPrefix("/") {
        let closed = String(part.dropFirst().prefix { $0 != ">" })
        if open.last == closed { open.removeLast() } else { return ["/" + closed] }
      } else if !(part.prefix { $0 != ">" }.hasSuffix("/")) {
        open.append(name)
      }
    }
    return open
  }
}
