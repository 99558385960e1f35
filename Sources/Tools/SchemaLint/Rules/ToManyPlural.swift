import SchemaDiagnostics
import SchemaModel

/// NAM009
struct ToManyPlural: RelationshipRule {
  static let id = DiagnosticID("NAM009", "to-many-plural")
  static let severity = Severity.info
  static let summary = "A relationship to many has the name of several, one to one that of one."
  static let why = """
    'trip.stop.count' and 'stop.trips?.name' are read as mistakes, and are not: the name says one \
    number and the type the other.
    """
  static let remedy = """
    Rename the relationship; 'trellis rename' does so everywhere and keeps its links. Words the rule \
    does not know are set as 'exceptions'.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("exceptions", .words([]), "Last words of names that are left alone.")]
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stop: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#)

  /// Singular words for groups.
  private static let collective: Set<String> = [
    "audience", "band", "board", "bunch", "catalog", "catalogue", "choir", "class", "collection", "committee",
    "content", "crew", "crowd", "data", "deck", "equipment", "family", "feed", "fleet", "folder", "furniture",
    "gallery", "group", "history", "inventory", "journal", "library", "list", "log", "luggage", "media",
    "membership", "menu", "music", "order", "pack", "panel", "party", "path", "personnel", "pile", "playlist",
    "pool", "queue", "range", "roster", "route", "schedule", "sequence", "series", "set", "stack", "staff",
    "stock", "stuff", "team", "timeline", "tree", "work",
  ]

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    let name = edge.relationship.name
    guard let last = CamelCase.words(name).last(where: { $0.contains { $0.isLetter } }),
      !context.words("exceptions", of: Self.self).contains(last)
    else { return }
    if edge.isToMany {
      // Participles and words for groups are not singular names.
      let isOther = Self.collective.contains(last) || ["ed", "ing", "s", "en"].contains { last.hasSuffix($0) }
      guard !isOther, !EnglishNumber.isPlural(last), Self.names(last, edge) else { return }
      context.report(.singularToMany(edge))
    } else if EnglishNumber.isPlural(last) {
      context.report(.pluralToOne(edge))
    }
  }

  /// True if the word is part of the destination's name, and therefore a name for one object.
  private static func names(_ word: String, _ edge: RelationshipEdge) -> Bool {
    CamelCase.words(edge.relationship.destination).contains(word)
  }
}

extension Diagnostic {
  fileprivate static func singularToMany(_ edge: RelationshipEdge) -> Self {
    Self(
      ToManyPlural.id, ToManyPlural.severity, at: edge.relationship.range,
      "'\(edge.title)' is many '\(edge.relationship.destination)' and has the name of one",
      help: "give it the name of several and write 'originalName: \"\(edge.relationship.name)\"'")
  }

  fileprivate static func pluralToOne(_ edge: RelationshipEdge) -> Self {
    Self(
      ToManyPlural.id, ToManyPlural.severity, at: edge.relationship.range,
      "'\(edge.title)' is one '\(edge.relationship.destination)' and has the name of several",
      help: "give it the name of one and write 'originalName: \"\(edge.relationship.name)\"'")
  }
}
