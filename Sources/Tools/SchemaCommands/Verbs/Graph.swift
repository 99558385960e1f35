import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaGraph
import SchemaModel

/// `trellis graph`: draws a diagram of a schema, or of schema changes.
package enum Graph: Verb {
  package static let name = "graph"
  package static let summary = "Draw a diagram of the models, or of a schema change"
  package static let options: Set<String> = ["--format", "--focus", "--depth", "--diff", "--output"]
  package static let flags: Set<String> = ["--models-only", "--force"]
  package static let makesDocument = true
  package static let help = """
    Usage: trellis graph [--format html|svg|mermaid|dot|plantuml|json] [--focus MODEL]… [--depth N]
                         [--diff A..B] [--models-only] [--output FILE [--force]] [PATH…]

    Draws models with their attributes, relationships, delete rules and superclasses, and the enums and
    structs that they use. The HTML page is a single file that works offline; you can search, click
    cards, zoom and print it. SVG contains only the picture. Mermaid is rendered by code hosting sites,
    dot is for Graphviz, plantuml is for PlantUML, and json is for scripts.

    PATH is a schema file or a folder. The default is every schema below the current folder.

      --focus MODEL  draw only this model and its neighbors; can be repeated
      --depth N      how many relationships away a neighbor can be (default: 1)
      --diff A..B    draw the changes between two versions, with their neighbors. A and B are versions
                     ('1.0.0..2.0.0'), 'head', Git revisions ('git:main..') or paths, as for 'trellis diff'
      --models-only  omit enums and structs
      --output FILE  write to this file, replacing an existing diagram
      --force        replace other files too, except schemas

    Without '--format', the format follows from the file name: html, svg, json, dot for .dot and .gv,
    plantuml for .puml, otherwise mermaid. Exits with 3 if a schema does not compile.

    """

  private enum Format: String, CaseIterable {
    case html, svg, mermaid, dot, plantuml, json

    init(for path: String?) {
      switch path.flatMap({ $0.split(separator: ".").last?.lowercased() }) {
      case "html", "htm": self = .html
      case "svg": self = .svg
      case "dot", "gv": self = .dot
      case "puml", "plantuml": self = .plantuml
      case "json": self = .json
      default: self = .mermaid
      }
    }

    /// Returns true if the text is a diagram in this format.
    func begins(_ text: String) -> Bool {
      switch self {
      case .html:
        text.hasPrefix("<!DOCTYPE html>\n")
          && text.prefix(1000).contains("default-src 'none'; style-src 'unsafe-inline'")
      case .svg: text.hasPrefix("<svg ") && text.prefix(200).contains("class=\"diagram\"")
      case .mermaid: text.hasPrefix("---\ntitle: ") && text.contains("\n---\nclassDiagram\n")
      case .dot: text.hasPrefix("digraph schema {\n")
      case .plantuml: text.hasPrefix("@startuml\ntitle ")
      case .json: text.hasPrefix("{\n  \"edges\" : [") && text.contains("\n  \"schemaVersion\" : ")
      }
    }
  }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? Format(for: arguments["--output"])
    let depth = try depth(arguments)
    var diagram = try diagram(arguments, session)
    if let focus = arguments.options["--focus"] {
      let names = Set(try focus.map { try ModelName.find($0, in: diagram.nodes.map(\.name)) })
      diagram = diagram.focused(on: names, depth: depth ?? 1)
    } else if diagram.isComparison {
      diagram = diagram.focusedOnChanges(depth: depth ?? 1)
    } else if depth != nil {
      throw DriverFailure(["error: '--depth' needs '--focus' or '--diff'"], .usage)
    }
    if arguments.has("--models-only") { diagram = diagram.withoutValues }
    let text =
      switch format {
      case .html: DiagramPage(diagram).text
      case .svg: DiagramDrawing(diagram).text
      case .mermaid: MermaidDiagram(diagram).text
      case .dot: DotDiagram(diagram).text
      case .plantuml: PlantUMLDiagram(diagram).text
      case .json: try Session.json(diagram)
      }
    guard let output = arguments["--output"], output != "-" else {
      session.say(text)
      return .clean
    }
    var transaction = FileTransaction()
    let path = session.path(output)
    transaction.write(Array(text.utf8), to: path) { old in
      refusal(of: old, path, format, isForced: arguments.has("--force"))
    }
    try transaction.commit()
    session.note("wrote \(output)\n")
    return .clean
  }

  /// Returns the reason why an existing file must not be replaced.
  private static func refusal(of old: [UInt8], _ path: String, _ format: Format, isForced: Bool) -> String? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let isInput = [path, target].contains { $0.hasSuffix(SchemaPaths.suffix) || $0.hasSuffix(SchemaPaths.lockSuffix) }
    if isInput { return "schemas and lock files are not replaced" }
    guard !isForced, !old.isEmpty, !format.begins(String(decoding: old, as: UTF8.self)) else { return nil }
    return "not a diagram in the format '\(format)' (use '--force' to replace it)"
  }

  private static func depth(_ arguments: Arguments) throws(DriverFailure) -> Int? {
    guard let text = arguments["--depth"] else { return nil }
    guard let depth = Int(text), depth >= 0 else {
      throw DriverFailure(["error: '--depth' must be a number of relationships, 0 or more"], .usage)
    }
    return depth
  }

  private static func diagram(_ arguments: Arguments, _ session: Session) throws -> Diagram {
    if let range = arguments["--diff"] {
      guard let (old, new) = Revision.range(range, session) else {
        throw DriverFailure(["error: '--diff' needs two versions, such as '1.0.0..head'"], .usage)
      }
      return Diagram(
        comparing: try Comparison(from: old, to: new, paths: arguments.files, session).pairs.map(\.versions))
    }
    let compiled = try CompiledSchemas(arguments.files, session)
    try compiled.requireCompiled()
    return Diagram(compiled.schemas)
  }
}

/// Finds a model by user input.
enum ModelName {
  static func find(_ name: String, in names: [String]) throws(DriverFailure) -> String {
    let bare = name.filter { $0 != "`" }
    if names.contains(bare) { return bare }
    let nearest = NearestName.find(bare, in: names)
    let proposal = nearest.map { "; did you mean '\($0)'?" } ?? ""
    throw DriverFailure(["error: there is no model '\(name)'\(proposal)"], .usage)
  }
}
