package import SchemaDiagnostics

/// A `migration from x.y.z { … }` block, which migrates stores from that version to the schema's own.
package struct ResolvedMigration: Sendable {
  package var from: SchemaVersion
  /// The version as written.
  package var range: SourceRange
  /// The steps, as written.
  package var body: SwiftText
  package var steps: [ResolvedMigrationStep]

  package init(
    from: SchemaVersion, range: SourceRange, body: SwiftText, steps: [ResolvedMigrationStep] = []
  ) {
    self.from = from
    self.range = range
    self.body = body
    self.steps = steps
  }
}

/// A migration step. Names refer to the newer version unless noted otherwise.
package enum ResolvedMigrationStep: Sendable {
  case fill(MigrationFill)
  case dedupe(MigrationDedupe)
  case custom(MigrationCustom)
  case accept(MigrationAcceptance)

  package var range: SourceRange {
    switch self {
    case .fill(let step): step.range
    case .dedupe(let step): step.range
    case .custom(let step): step.range
    case .accept(let step): step.range
    }
  }
}

/// `fill Trip.budgetCents = Int(old.budget * 100)`
package struct MigrationFill: Sendable {
  package var entity: String
  package var property: String
  /// Swift code in which `old` is the row in the older version.
  package var value: SwiftText
  /// `Trip.budgetCents`
  package var range: SourceRange
}

/// `dedupe Trip on [\.name, \.startDate] keep newest`
package struct MigrationDedupe: Sendable {
  /// The row to keep among rows with equal values.
  package enum Keep: String, Sendable, CaseIterable {
    /// The row inserted last.
    case newest
    /// The row inserted first.
    case oldest
  }

  package var entity: String
  package var properties: [String]
  package var keep: Keep
  /// The model and the properties.
  package var range: SourceRange
}

/// `custom mergeAccommodations`
package struct MigrationCustom: Sendable {
  /// The function that the app implements.
  package var name: String
  /// The name as written.
  package var source: SwiftText
  package var range: SourceRange
}

/// `accept MIG011 Trip.nickname -- "moved to Profile"`
package struct MigrationAcceptance: Sendable {
  /// The rule's code or name, as written.
  package var rule: String
  /// The affected declaration, such as `Trip.nickname`. If it was removed, the name from the older version.
  package var subject: String
  package var reason: String
  /// The rule and the subject.
  package var range: SourceRange

  package init(rule: String, subject: String, reason: String, range: SourceRange) {
    self.rule = rule
    self.subject = subject
    self.reason = reason
    self.range = range
  }
}
