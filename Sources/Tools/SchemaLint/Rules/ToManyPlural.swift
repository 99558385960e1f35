import SchemaDiagnostics
import SchemaModel

/// NAM009
struct ToManyPlural: RelationshipRule {
  static let id = DiagnosticID("NAM009", "to-many-plural")
  static let severity = Severity.info
  static let summary = "A to-many relationship has a plural name, and a to-one relationship has a singular name."
  static let why = """
    'trip.stop.count' and 'stop.trips?.name' look like mistakes, because the name and the type disagree \
    about the number.
    """
  static let remedy = """
    Rename the relationship; 'trellis rename' renames it everywhere and keeps the links. List unrecognized \
    words in 'exceptions'.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("exceptions", .words([]), "The last words of names that are not checked.")]
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
      // Participles and words for groups do not count as singular names.
      let isOther = Self.collective.contains(last) || ["ed", "ing", "s", "en"].contains { last.hasSuffix($0) }
      guard !isOther, !EnglishNumber.isPlural(last), Self.names(last, edge) else { return }
      context.report(.singularToMany(edge))
    } else if EnglishNumber.isPlural(last) {
      context.report(.pluralToOne(edge))
    }
  }

  /// Returns true if the word is part of the destination's name, and therefore names a single object.
  private static func names(_ word: String, _ edge: RelationshipEdge) -> Bool {
    CamelCase.words(edge.relationship.destination).contains(word)
  }
}

extension Diagnostic {
  fileprivate static func singularToMany(_ edge: RelationshipEdge) -> Self {
    Self(
      ToManyPlural.id, ToManyPlural.severity, at: edge.relationship.range,
      "'\(edge.title)' holds many '\(edge.relationship.destination)' objects, but its name is singular",
      help: "give it a plural name and write 'originalName: \"\(edge.relationship.name)\"'")
  }

  fileprivate static func pluralToOne(_ edge: RelationshipEdge) -> Self {
    Self(
      ToManyPlural.id, ToManyPlural.severity, at: edge.relationship.range,
      "'\(edge.title)' holds a single '\(edge.relationship.destination)' object, but its name is plural",
      help: "give it a singular name and write 'originalName: \"\(edge.relationship.name)\"'")
  }
}
