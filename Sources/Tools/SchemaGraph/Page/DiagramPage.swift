/// A diagram as a self-contained HTML page that uses no external resources.
package struct DiagramPage {
  private let diagram: Diagram

  package init(_ diagram: Diagram) { self.diagram = diagram }

  package var text: String {
    let title = MarkupText.escaped(diagram.title)
    let drawing = DiagramDrawing(diagram)
    let picture =
      diagram.nodes.isEmpty
      ? "<p class=\"empty\">\(diagram.isComparison ? "Nothing has changed." : "There is nothing to draw.")</p>"
      : drawing.embedded
    // The policy prevents the page from loading resources, even if a schema contains injected markup.
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(DiagramStyle.colours)
      \(DiagramStyle.drawing)
      \(PageStyle.text)
      </style>
      </head>
      <body>
      <header>
      <h1 id="title">\(title)</h1>
      <span class="facts">\(MarkupText.escaped(drawing.facts))</span>
      <div class="tools" role="toolbar" aria-label="Diagram">
      <label class="visually-hidden" for="search">Search models, properties and types</label>
      <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
      <span id="found" role="status"></span>
      <button id="out" type="button" title="Zoom out (−)" aria-label="Zoom out">−</button>
      <button id="fit" type="button" title="Show everything (0)">Fit</button>
      <button id="in" type="button" title="Zoom in (+)" aria-label="Zoom in">+</button>
      <button id="theme" type="button" title="Light, dark, or the system setting">Theme</button>
      </div>
      </header>
      <main>
      \(picture)
      \(diagram.nodes.isEmpty ? "" : Legend(diagram: diagram).html)
      </main>
      <script>
      \(PageScript.text)
      </script>
      </body>
      </html>

      """
  }
}
