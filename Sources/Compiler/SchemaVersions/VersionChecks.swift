import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// Checks that released versions are unchanged and that version numbers are in order.
struct VersionChecks {
  let history: SchemaHistory

  private var head: ResolvedSchema { history.head }
  private var name: String { head.name }

  var diagnostics: [Diagnostic] {
    numbered + locked + twice + order + bumped + identical
  }

  /// A schema file must state its version once a version is released.
  private var numbered: [Diagnostic] {
    guard !history.frozen.isEmpty, head.scope == nil, head.versionRange.start == head.versionRange.end else {
      return []
    }
    return [.noNumber(head)]
  }

  /// Compares the lock with the frozen files.
  private var locked: [Diagnostic] {
    guard let lock = history.lock else {
      return history.frozen.first.map { [.noLock(name, $0.versionRange)] } ?? []
    }
    var problems: [Diagnostic] = []
    let byVersion = Dictionary(
      firstOf: lock.entries.map { ($0.version, $0) })
    for (version, entries) in lock.entries.grouped(by: \.version) where entries.count > 1 {
      problems.append(.releasedTwice(name, version, head.versionRange))
    }
    if !lock.malformed.isEmpty {
      problems.append(.unreadableLock(name, lines: lock.malformed, head.versionRange))
    }
    for (frozen, fingerprint) in zip(history.frozen, history.fingerprints) {
      guard let entry = byVersion[frozen.version] else {
        problems.append(.notInLock(name, frozen))
        continue
      }
      if entry.fingerprint != fingerprint { problems.append(.edited(name, frozen)) }
    }
    let there = Set(history.frozen.map(\.version))
    for entry in lock.entries where !there.contains(entry.version) {
      problems.append(.filesMissing(name, entry.version, head.versionRange))
    }
    return problems
  }

  private var twice: [Diagnostic] {
    zip(history.frozen, history.frozen.dropFirst()).compactMap { first, second in
      first.version == second.version ? .frozenTwice(name, first, second) : nil
    }
  }

  private var order: [Diagnostic] {
    guard let newest = history.frozen.last, head.version < newest.version else { return [] }
    return [.behind(head, newest)]
  }

  private var bumped: [Diagnostic] {
    guard let index = history.frozen.firstIndex(where: { $0.version == head.version }) else { return [] }
    let same = history.frozen[index]
    guard history.fingerprints[index] != history.headFingerprint || asks(from: same) else { return [] }
    return [.notBumped(head, SchemaDiff.changes(from: same, to: head))]
  }

  /// Returns true if a change outside the fingerprint makes rows unreadable, such as a removed default that rows were
  /// read with.
  private func asks(from same: ResolvedSchema) -> Bool {
    let earlier = history.frozen.filter { $0.version <= same.version }
    return !StagePlanner(from: same, to: head, earlier: earlier).stage.unhandled.isEmpty
  }

  private var identical: [Diagnostic] {
    history.stages.compactMap { stage in
      let (old, new) = (stage.from, stage.to)
      // A version that only joins two branches may be identical to one of them.
      return history.stages.count { $0.to.version == new.version } == 1 && old.version < new.version
        && history.fingerprint(of: old) == history.fingerprint(of: new)
        && SchemaDiff.changes(from: old, to: new).allSatisfy { $0.effect == .automatic }
        ? .identical(old, new, isHead: new.version == head.version) : nil
    }
  }
}

extension Diagnostic {
  fileprivate static func noNumber(_ head: ResolvedSchema) -> Self {
    Self(
      .missingVersion, at: head.versionRange,
      "'\(head.name)' has released versions, but this file states no version",
      help: "begin the file with 'schema \(head.name)' and the version")
  }

  fileprivate static func noLock(_ name: String, _ range: SourceRange) -> Self {
    Self(
      .lockMissing, at: range, "the lock for the released versions of '\(name)' is missing",
      help: "restore 'versions/\(name).lock' or rebuild it: trellis verify --rebuild-lock")
  }

  fileprivate static func unreadableLock(
    _ name: String, lines: [Int], _ range: SourceRange
  ) -> Self {
    let numbers = lines.map(String.init).joined(separator: ", ")
    return Self(
      .lockMissing, at: range,
      "'versions/\(name).lock' cannot be read (line \(numbers))",
      help: "resolve its merge conflict or rebuild it: trellis verify --rebuild-lock")
  }

  fileprivate static func releasedTwice(
    _ name: String, _ version: SchemaVersion, _ range: SourceRange
  ) -> Self {
    Self(
      .parallelVersion, at: range, "the lock lists version \(version) of '\(name)' twice",
      help: "two branches released the same number: renumber either version")
  }

  fileprivate static func notInLock(_ name: String, _ frozen: ResolvedSchema) -> Self {
    Self(
      .lockMissing, at: frozen.versionRange,
      "version \(frozen.version) of '\(name)' is not in 'versions/\(name).lock'",
      help: "release versions with 'trellis freeze', or add this version: trellis verify --rebuild-lock")
  }

  fileprivate static func filesMissing(
    _ name: String, _ version: SchemaVersion, _ range: SourceRange
  ) -> Self {
    Self(
      .lockMissing, at: range,
      "the lock lists version \(version) of '\(name)', but its files are missing",
      help: "restore the folder 'versions/\(name)-\(version)'; stores of this version cannot be opened otherwise")
  }

  fileprivate static func edited(_ name: String, _ frozen: ResolvedSchema) -> Self {
    Self(
      .frozenVersionEdited, at: frozen.versionRange,
      "version \(frozen.version) of '\(name)' was edited after its release",
      help: "revert the edit, because existing stores match the released version; change a newer version instead")
  }

  fileprivate static func frozenTwice(
    _ name: String, _ first: ResolvedSchema, _ second: ResolvedSchema
  ) -> Self {
    Self(
      .versionOrder, at: second.versionRange, "version \(second.version) of '\(name)' is frozen twice",
      related: [.init(first.versionRange, "also frozen here")], help: "remove either folder")
  }

  fileprivate static func behind(_ head: ResolvedSchema, _ newest: ResolvedSchema) -> Self {
    Self(
      .versionOrder, at: head.versionRange,
      "version \(head.version) is lower than the released version \(newest.version)",
      related: [.init(newest.versionRange, "version \(newest.version) is here")],
      help: "give the schema a higher version")
  }

  fileprivate static func notBumped(_ head: ResolvedSchema, _ changes: [SchemaChange]) -> Self {
    let version = head.version
    let next = VersionLevel(changes).next(after: version)
    let rest = changes.count > 5 ? " (\(changes.count) changes: trellis diff ..)" : ""
    return Self(
      .versionNotBumped, at: head.versionRange,
      "version \(version) of '\(head.name)' is released, but the schema has changed since\(rest)",
      related: changes.prefix(5).compactMap { change in
        (change.newRange ?? change.oldRange).map { .init($0, change.text) }
      },
      help: head.scope == nil || head.hasDefaultVersion
        ? "give the schema a new version: trellis bump"
        : "list the models in a 'VersionedSchema' with a new 'versionIdentifier', such as Schema.Version"
          + "(\(next.major), \(next.minor), \(next.patch))",
      fixIts: head.scope != nil
        ? [] : [.replace(head.versionRange, with: next.description, title: "write '\(next)'")])
  }

  fileprivate static func identical(
    _ old: ResolvedSchema, _ new: ResolvedSchema, isHead: Bool
  ) -> Self {
    Self(
      .identicalVersions, isHead ? .warning : .error, at: new.versionRange,
      "versions \(old.version) and \(new.version) of '\(new.name)' are the same",
      related: [.init(old.versionRange, "version \(old.version) is here")],
      help: isHead ? "change the schema before releasing this version" : "remove either version")
  }
}
