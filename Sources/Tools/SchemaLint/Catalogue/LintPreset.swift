/// A predefined selection of rules.
package enum LintPreset: String, Sendable, CaseIterable, Encodable {
  /// Rules for schemas that cannot be built and for changed released versions.
  case minimal
  /// Rules for errors that can cost data or days of work.
  case recommended
  /// All rules except documentation rules, some of them as errors.
  case strict
  /// `recommended`, and documentation for every declaration.
  case comments

  /// True if the preset contains rules with this presence. Rules of profiles are separate.
  func contains(_ presence: RulePresence) -> Bool {
    switch (self, presence) {
    case (_, .always), (_, .minimal): true
    case (.recommended, .recommended), (.strict, .recommended), (.comments, .recommended): true
    case (.strict, .strict), (.comments, .comments): true
    default: false
    }
  }
}

/// Additional rules for a specific use of a schema. Profiles are off by default.
package enum LintProfile: String, Sendable, CaseIterable, Encodable {
  /// For programs that read the history, for example sync engines.
  case history
  /// For stores that CloudKit synchronises.
  case cloudkit
  /// For files that are also compiled as SwiftData source.
  case swiftdata
  /// For stores whose tables other programs read.
  case sqlite
  /// For snapshots and exports that are exchanged between platforms.
  case portable
  /// For stores that several program versions share, for example an app and its widget.
  case sharedStore = "shared-store"
}
