package import SchemaDiagnostics
package import SchemaDiff
package import SchemaModel

/// What takes care of a change that affects rows.
package enum ChangeHandling: String, Sendable {
  case accepted, filled, deduplicated
  case custom = "carried by custom"
  /// Rows keep their values, and no step is needed.
  case automatic
}

/// How stores of one version become stores of the next.
package struct PlannedStage: Sendable {
  /// What rows of one model get that nothing else says.
  package struct Filling: Sendable {
    /// By its name in the older version.
    package var oldEntity: String
    package var newEntity: String
    /// In the order in which they are written.
    package var fills: [MigrationFill]
  }

  let versions: VersionPair
  package let changes: [SchemaChange]
  /// The handling of each of ``changes``; nil for a change that needs nothing, or that is ``unhandled``.
  package var handlings: [ChangeHandling?] = []
  /// One for each concrete model with something to fill, in the order of the newer version.
  package var fillings: [Filling] = []
  package var dedupes: [MigrationDedupe] = []
  package var customs: [MigrationCustom] = []
  package var acceptances: [MigrationAcceptance] = []
  /// The properties, as `Model.property`, that are kept otherwise now, and whose former values may go.
  package var lettingGo: [String] = []
  /// What nothing in the migration says anything about.
  package var unhandled: [UnhandledChange] = []
  /// That, and what the migration says wrongly.
  package var diagnostics: [Diagnostic] = []

  package var from: ResolvedSchema { versions.old }
  package var to: ResolvedSchema { versions.new }

  /// Whether rows follow without any code of the schema or of the program.
  package var isLightweight: Bool {
    fillings.isEmpty && dedupes.isEmpty && customs.isEmpty && lettingGo.isEmpty
  }
}
