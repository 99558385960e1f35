import SchemaDiagnostics
import SchemaModel

/// IDX001
struct RedundantIndex: EntityRule {
  static let id = DiagnosticID("IDX001", "redundant-index")
  static let severity = Severity.info
  static let summary = "No index is a prefix of a longer index or a unique constraint."
  static let why = """
    The longer index serves every query that the shorter index serves. The shorter index only slows down \
    writes and enlarges the file.
    """
  static let remedy = "Remove the shorter index."
  static let fix = FixKind.auto
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { #Index<Trip>([\.name], [\.name, \.start]); var name: String; var start: Date }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { #Index<Trip>([\.name, \.start]); var name: String; var start: Date }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    guard !entity.indexes.isEmpty else { return }
    let uniques = context.uniques(of: entity)
    let inherited =
      entity.superentity == nil
      ? []
      : context.lineage(of: entity).dropFirst().flatMap {
        $0.indexes.prefix(LintContext.compared)
      }
    for (position, index) in entity.indexes.enumerated() {
      let removal = context.sources.constraint(index.range)?.removalRange
      if index.kind == .binary,
        let unique = uniques.first(where: { $0.properties.starts(with: index.properties) })
      {
        context.report(
          .redundantIndex(index, "a unique constraint", context.place(of: unique), removal))
        continue
      }
      let earlier = entity.indexes.prefix(min(position, LintContext.compared))
      let later = entity.indexes[(position + 1)...].prefix(LintContext.compared)
      let other =
        inherited.first { Self.covers($0, index) } ?? earlier.first { Self.covers($0, index) }
        // For two equal indexes, report the later index.
        ?? later.first { Self.covers($0, index) && $0.properties != index.properties }
      if let other {
        context.report(.redundantIndex(index, "another index", other.range, removal))
      }
    }
  }

  private static func covers(_ other: ResolvedIndex, _ index: ResolvedIndex) -> Bool {
    switch (index.kind, other.kind) {
    case (.binary, .binary): other.properties.starts(with: index.properties)
    case (.rtree, .rtree): other.properties == index.properties
    case (.binary, .rtree), (.rtree, .binary): false
    }
  }
}

extension Diagnostic {
  fileprivate static func redundantIndex(
    _ index: ResolvedIndex, _ what: String, _ other: SourceRange, _ removal: SourceRange?
  ) -> Self {
    let names = index.properties.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      RedundantIndex.id, RedundantIndex.severity, at: index.range,
      "the index over \(names) is already covered by \(what)", related: [.init(other, "the covering index is here")],
      help: "remove it",
      fixIts: removal.map { [.remove($0, title: "remove the index over \(names)")] } ?? [])
  }
}
