import Foundation
import Testing

/// A layer of the runtime refers only to lower layers, and the folders within a layer are ordered as well.
@Suite struct LayerTests {
  /// The layers from bottom to top.
  static let layers = ["SQLite", "Text", "Schema", "Predicate", "StoreAPI", "Stores", "Context", "Container"]

  /// The number of remaining references from a layer to a higher one, which are to be removed. The test fails if there
  /// are more.
  static let remaining: [String: Int] = [:]
  private static let graph = Result {
    try RuntimeGraph(
      modules: ["TrellisSQLite": "SQLite/", "TrellisModel": "", "TrellisStore": "Stores/", "Trellis": ""])
  }

  @Test func everyFileIsInALayer() throws {
    let found = Set(try Self.graph.get().files.values.map(\.layer))
    #expect(found.subtracting(Self.layers) == [""])
  }

  @Test func layersReferOnlyToLowerLayers() throws {
    let graph = try Self.graph.get()
    var found: [String: [RuntimeGraph.Reference]] = [:]
    for reference in graph.references {
      guard let from = graph.files[reference.from], let to = graph.files[reference.to],
        let lower = Self.layers.firstIndex(of: from.layer), let upper = Self.layers.firstIndex(of: to.layer),
        lower < upper
      else { continue }
      found["\(from.layer) → \(to.layer)", default: []].append(reference)
    }
    for (pair, references) in found.sorted(by: { $0.key < $1.key })
    where references.count > Self.remaining[pair] ?? 0 {
      Issue.record(
        "\(pair): \(references.count) references, not \(Self.remaining[pair] ?? 0)\n\(Self.list(references))")
    }
    for (pair, count) in Self.remaining where found[pair]?.count ?? 0 < count {
      Issue.record("\(pair): \(found[pair]?.count ?? 0) references are left, no longer \(count)")
    }
  }

  /// Repeatedly removes folders that refer to no remaining folder, or to which no remaining folder refers. Any folders
  /// that are left form a cycle.
  @Test func foldersOfALayerAreOrdered() throws {
    let graph = try Self.graph.get()
    var edges: [String: [String: [RuntimeGraph.Reference]]] = [:]
    for reference in graph.references {
      guard let from = graph.files[reference.from], let to = graph.files[reference.to],
        from.layer == to.layer, from.folder != to.folder
      else { continue }
      edges[from.folder, default: [:]][to.folder, default: []].append(reference)
    }
    #expect(edges.count > 20)
    func isOutside(_ folder: String) -> Bool {
      edges[folder]?.keys.allSatisfy { edges[$0] == nil } == true || edges.values.allSatisfy { $0[folder] == nil }
    }
    while let outside = edges.keys.first(where: isOutside) { edges[outside] = nil }
    for (folder, others) in edges.sorted(by: { $0.key < $1.key }) {
      for (other, references) in others.sorted(by: { $0.key < $1.key }) where edges[other] != nil {
        Issue.record("\(folder) → \(other) is part of a cycle\n\(Self.list(references))")
      }
    }
  }

  private static func list(_ references: [RuntimeGraph.Reference]) -> String {
    references.map { "  \($0.from) uses \($0.symbol) of \($0.to)" }.joined(separator: "\n")
  }

  /// The graph in the architecture article shows the layers and the number of references between them.
  ///
  /// Its edges must match the sources. Set `RECORD_GOLDENS=1` to write the current numbers.
  @Test func theArticleShowsTheLayers() throws {
    let graph = try Self.graph.get()
    var counts: [String: Int] = [:]
    for reference in graph.references {
      guard let from = graph.files[reference.from]?.layer, let to = graph.files[reference.to]?.layer,
        from != to, !from.isEmpty, !to.isEmpty
      else { continue }
      counts["\(from) \(to)", default: 0] += 1
    }
    #expect(counts.count >= Self.layers.count - 1)
    let lines = counts.sorted { $0.key < $1.key }.map { edge, count in
      "  " + edge.replacingOccurrences(of: " ", with: " -->|\(count)| ")
    }
    let article = try #require(try Articles.named("Architecture"))
    let start = try #require(article.text.range(of: "```mermaid\ngraph TD\n"))
    let end = try #require(article.text.range(of: "```", range: start.upperBound..<article.text.endIndex))
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      var text = article.text
      text.replaceSubrange(start.upperBound..<end.lowerBound, with: lines.joined(separator: "\n") + "\n")
      return try text.write(to: SourceTree.root.appending(path: article.path), atomically: true, encoding: .utf8)
    }
    let shown = article.text[start.upperBound..<end.lowerBound].split(separator: "\n").map { line in
      line.split(separator: " ").filter { !$0.hasPrefix("-->") }.joined(separator: " ")
    }
    let edges = Set(counts.keys)
    #expect(edges.subtracting(shown) == [], "not in the article")
    #expect(Set(shown).subtracting(edges) == [], "no longer in the sources")
  }

  @Test func swiftTokensAreParsed() {
    let text = #"""
      // Comment /* of { Words
      struct A: B { /* no /* nested */ C */ let text = "D \(e.f("G \(h)")) }" }
      extension I { func j() { "\\" + #"K \(l)"# } }
      """#
    let tokens = SwiftTokens.tokens(of: text)
    let words = tokens.compactMap { if case .word(let word) = $0 { String(word) } else { nil } }
    #expect(words == ["struct", "A", "B", "let", "text", "e", "f", "h", "extension", "I", "func", "j"])
    #expect(tokens.count { $0 == .open } == 3 && tokens.count { $0 == .close } == 3)
  }
}
