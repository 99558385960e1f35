/// A choice of rules for those who do not want to choose.
package enum LintPreset: String, Sendable, CaseIterable, Encodable {
  /// What cannot be built, and what makes released versions worthless.
  case minimal
  /// What costs data or days when it is overlooked.
  case recommended
  /// Everything but documentation, and some of it as errors.
  case strict
  /// `recommended`, and every declaration is documented.
  case comments

  /// Whether a rule that no profile asks for runs.
  func contains(_ presence: RulePresence) -> Bool {
    switch (self, presence) {
    case (_, .always), (_, .minimal): true
    case (.recommended, .recommended), (.strict, .recommended), (.comments, .recommended): true
    case (.strict, .strict), (.comments, .comments): true
    default: false
    }
  }
}

/// Rules for a certain use of a schema, off unless asked for.
package enum LintProfile: String, Sendable, CaseIterable, Encodable {
  /// History is read, by a sync engine for one.
  case history
  /// Stores are synchronised by CloudKit.
  case cloudkit
  /// The file is also compiled as SwiftData source.
  case swiftdata
  /// Other programs read the tables of the store.
  case sqlite
  /// Snapshots and exports travel between platforms.
  case portable
  /// Programs of several versions use one store: an app and its widget.
  case sharedStore = "shared-store"
}
