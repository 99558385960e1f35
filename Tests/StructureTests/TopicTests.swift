import Foundation
import Testing

/// The topics of the catalogue list every article and every public type.
@Suite struct TopicTests {
  /// The links in the lists below `## Topics`.
  private static func topics(_ article: Articles.Article) -> [String] {
    article.prose.drop { $0.text != "## Topics" }.filter { $0.text.hasPrefix("- ") }.map {
      String($0.text.dropFirst(2))
    }
  }

  @Test func everyArticleIsInOneTopic() throws {
    let articles = try Articles.all()
    let links = articles.flatMap { article in Self.topics(article).flatMap { Articles.links(in: $0) }.map(\.name) }
    for article in articles where article.name != "Trellis" {
      #expect(links.count { $0 == article.name } == 1, "\(article.path) is in no topic, or in several")
    }
    #expect(links.count == articles.count - 1, "a topic lists an article that does not exist")
  }

  /// Links are ordinary Markdown, which works on code hosts. `./run docs` translates them.
  @Test func articleLinksLeadToArticles() throws {
    var count = 0
    for article in try Articles.all() + Articles.all(in: Articles.serverCatalogue) {
      #expect(!article.text.contains("<doc:") && !article.text.contains("](doc:"), "\(article.path)")
      let folder = SourceTree.root.appending(path: article.path).deletingLastPathComponent()
      for link in Articles.links(in: article.prose.map(\.text).joined(separator: "\n")) {
        let own = SourceTree.root.appending(path: article.path)
        let target = link.path.isEmpty ? own : folder.appending(path: link.path)
        let text = try? String(contentsOf: target, encoding: .utf8)
        #expect(text != nil, "\(article.path) links to \(link.path)")
        count += 1
        guard let anchor = link.anchor, let text else { continue }
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("##") }.map { Articles.anchor(of: $0) }
        #expect(headings.contains(anchor), "\(article.path) links to \(link.path)#\(anchor)")
      }
    }
    #expect(count > 150)
  }

  @Test func everyPublicTypeIsInATopic() throws {
    let main = try #require(try Articles.named("Trellis"))
    let listed = Self.topics(main).filter { $0.hasPrefix("``") }.map { $0.filter { $0 != "`" } }
    let declared = try Self.publicTypes()
    #expect(declared.count > 90)
    let missing = declared.subtracting(listed)
    #expect(missing.isEmpty, "in no topic of Trellis.md: \(missing.sorted().joined(separator: ", "))")
    // Macros are listed with their arguments.
    let unknown = listed.filter { !$0.contains("/") && !$0.contains("(") && !declared.contains($0) }
    #expect(unknown.isEmpty, "in a topic of Trellis.md and not declared: \(unknown.joined(separator: ", "))")
    #expect(Set(listed).count == listed.count, "a symbol is in two topics")
  }

  /// The public types that SwiftData also has, and the Foundation types that Linux lacks.
  private static let typesOfSwiftData = Set(
    """
    BackingData DataStore DataStoreBatchDeleteRequest DataStoreBatching DataStoreConfiguration DataStoreError
    DataStoreFetchRequest DataStoreFetchResult DataStoreSaveChangesRequest DataStoreSaveChangesResult
    DataStoreSnapshot DataStoreSnapshotCodingKey DataStoreSnapshotValue DefaultHistoryDelete DefaultHistoryInsert
    DefaultHistoryToken DefaultHistoryTransaction DefaultHistoryUpdate DefaultSerialModelExecutor DefaultSnapshot
    DefaultStore EditingState FetchDescriptor FetchResultsCollection HistoryChange HistoryDelete HistoryDescriptor
    HistoryInsert HistoryObserver HistoryProviding HistoryToken HistoryTombstone HistoryTransaction HistoryUpdate
    MigrationStage ModelActor ModelConfiguration ModelContainer ModelContext ModelExecutor PersistentIdentifier
    PersistentModel RelationshipCollection ResultsObserver ResultsSection Schema SchemaMigrationPlan SchemaProperty
    SectionedResults SerialModelExecutor SwiftDataError UndoManager ValueTransformer VersionedSchema
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  @Test func everyTypeBeyondSwiftDataHasAReason() throws {
    let article = try #require(try Articles.named("PublicTypes"))
    let listed = article.prose.compactMap { $0.text.wholeMatch(of: /\| ``(\w+)`` \| .+ \|/).map { String($0.1) } }
    #expect(Set(listed).count == listed.count)
    let own = try Self.publicTypes().subtracting(Self.typesOfSwiftData)
    let missing = own.subtracting(listed).sorted()
    #expect(missing.isEmpty, "without a reason in PublicTypes.md: \(missing.joined(separator: ", "))")
    #expect(Set(listed).subtracting(own).isEmpty, "in PublicTypes.md and not declared")
  }

  /// Returns the public top-level types of the runtime, except those that the documentation hides.
  private static func publicTypes() throws -> Set<String> {
    let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
    var types = Set<String>()
    let files = try ["TrellisSQLite", "TrellisModel", "TrellisStore", "Trellis"].flatMap {
      try SourceTree.files(below: "Sources/Runtime/\($0)")
    }
    for file in files {
      // Inside `#if`, top-level declarations are indented.
      var indent = ""
      for (index, line) in file.lines.enumerated() {
        if line.hasPrefix("#") { indent = line.hasPrefix("#endif") ? "" : "  " }
        let text = line.dropFirst(indent.count)
        guard line.hasPrefix(indent), text.hasPrefix("public ") || text.hasPrefix("open ") || text.hasPrefix("@")
        else { continue }
        let words = text.split { " (:<{".contains($0) }
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
          words[..<kind].contains(where: { $0 == "public" || $0 == "open" }),
          !words[kind + 1].hasPrefix("_")
        else { continue }
        let attributes = file.lines[..<index].reversed().prefix { $0.dropFirst(indent.count).hasPrefix("@") } + [line]
        guard !attributes.contains(where: { $0.contains("@_documentation") || $0.contains("@_spi") }) else { continue }
        types.insert(String(words[kind + 1]))
      }
    }
    return types
  }
}
