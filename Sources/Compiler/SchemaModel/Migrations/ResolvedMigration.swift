package import SchemaDiagnostics

/// A `migration from x.y.z { … }` block: how stores of that version become stores of this one.
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

/// One line of a migration. Names are those of the newer version unless said otherwise.
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
  /// Swift, in which `old` is the row of the older version.
  package var value: SwiftText
  /// `Trip.budgetCents`
  package var range: SourceRange
}

/// `dedupe Trip on [\.name, \.startDate] keep newest`
package struct MigrationDedupe: Sendable {
  /// Which of the rows with equal values stays.
  package enum Keep: String, Sendable, CaseIterable {
    /// The one that was inserted last.
    case newest
    /// The one that was inserted first.
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
  /// The function the program implements.
  package var name: String
  /// The name as written.
  package var source: SwiftText
  package var range: SourceRange
}

/// `accept MIG011 Trip.nickname -- "moved to Profile"`
package struct MigrationAcceptance: Sendable {
  /// The code or the name of a rule, as written.
  package var rule: String
  /// What it is about, by the name it has in the older version when it is gone: `Trip.nickname`.
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
