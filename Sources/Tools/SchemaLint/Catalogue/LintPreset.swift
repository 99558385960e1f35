/// A predefined selection of rules.
package enum LintPreset: String, Sendable, CaseIterable, Encodable {
  /// Only rules about schemas that cannot be built and released versions that were changed.
  case minimal
  /// Rules for errors that can cost data or days of work.
  case recommended
  /// All rules except documentation rules; some findings become errors.
  case strict
  /// `recommended`, plus the rules that require documentation.
  case comments

  /// Returns true if the preset contains rules with this presence. Rules that belong to a profile are enabled
  /// separately.
  func contains(_ presence: RulePresence) -> Bool {
    switch (self, presence) {
    case (_, .always), (_, .minimal): true
    case (.recommended, .recommended), (.strict, .recommended), (.comments, .recommended): true
    case (.strict, .strict), (.comments, .comments): true
    default: false
    }
  }
}

/// Additional rules for a specific use case. Profiles are off by default.
package enum LintProfile: String, Sendable, CaseIterable, Encodable {
  /// For apps that read the history, for example sync engines.
  case history
  /// For stores that CloudKit synchronizes.
  case cloudkit
  /// For files that are also compiled as SwiftData source.
  case swiftdata
  /// For stores whose tables are read by external tools.
  case sqlite
  /// For snapshots and exports that are exchanged between platforms.
  case portable
  /// For stores shared by several app versions, for example an app and a widget.
  case sharedStore = "shared-store"
}
