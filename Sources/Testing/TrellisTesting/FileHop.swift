import Foundation
import Synchronization
import Trellis

/// Checks a version pair in a file, including backups and the files left by killed processes.
struct FileHop {
  let hop: MatrixHop
  /// The folder for this pair.
  let folder: URL
  /// The maximum number of statements at which a process is killed.
  let statements: Int

  typealias Problem = MatrixHop.Problem

  private var plan: any SchemaMigrationPlan.Type { hop.plan }
  private var from: any VersionedSchema.Type { hop.from }
  private var to: any VersionedSchema.Type { hop.to }
  private var storeFolder: URL { folder.appendingPathComponent("store") }
  private var url: URL { storeFolder.appendingPathComponent("matrix.store") }

  /// Runs the migration and returns all problems.
  func run(_ report: inout MigrationMatrix.Report) throws -> [MatrixHop.Problem] {
    try FileManager.default.createDirectory(at: storeFolder, withIntermediateDirectories: true)
    do {
      try StoreFixture(from, rowsPerModel: hop.rows).write(to: url)
    } catch {
      return [hop.problem("cannot create a populated store of \(from.versionIdentifier): \(error)", MatrixHop.report)]
    }
    let before = try StoreContents(of: from, try container(from, at: url))
    guard !before.isEmpty else {
      return [hop.problem("the populated store has no rows", "the older version needs a model that can be created")]
    }
    let facts = try StoreFacts(of: url)
    let images = StoreImages(
      of: storeFolder, in: folder.appendingPathComponent("images"), limit: statements)
    let heard = Heard()
    let migrated = try StatementWatch.whileRunning(images.take) {
      try container(to, at: url, heard)
    }
    let after = try StoreContents(of: to, migrated)
    report.statements += images.looks
    var problems = MatrixComparison(hop: hop, before: before, after: after).problems(&report)
    problems += try compareWithNewStore(facts)
    problems += try checkBackups(before)
    problems += try openAgain(after, heard)
    problems += check(images, before, after, facts)
    return problems
  }

  func container(
    _ version: any VersionedSchema.Type, at url: URL, _ heard: Heard? = nil
  ) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: url)
    if let heard { configuration.migration.observer = { _ in heard.note() } }
    return try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan, configurations: configuration)
  }

  // MARK: The file

  /// Checks that a migrated store has the same structure as a new store and keeps the store identifier.
  private func compareWithNewStore(_ before: StoreFacts) throws -> [Problem] {
    let fresh = folder.appendingPathComponent("new.store")
    _ = try container(to, at: fresh)
    let wanted = try StoreFacts(of: fresh)
    let found = try StoreFacts(of: url)
    let advice = MatrixHop.report
    var problems = found.complaints.map { hop.problem($0, advice) }
    for (wanted, found) in [(wanted.tables, found.tables), (wanted.description, found.description)] {
      let missing = wanted.filter { !found.contains($0) }
      let left = found.filter { !wanted.contains($0) }
      guard !missing.isEmpty || !left.isEmpty else { continue }
      var difference = hop.problem("the migrated store differs from a new store", advice)
      difference.expected = missing.joined(separator: "; ")
      difference.found = left.joined(separator: "; ")
      problems.append(difference)
    }
    if found.identifier != before.identifier {
      problems.append(hop.problem("the store identifier and the model identifiers have changed", advice))
    }
    let lineage = Lineage(plan: plan, from: from, to: to)
    for (table, key) in before.nextKeys {
      guard let successor = lineage.model(table), let now = found.nextKeys[successor], now < key else { continue }
      problems.append(hop.problem("keys of '\(successor)' are reused: the next key fell from \(key) to \(now)", advice))
    }
    return problems
  }

  private func openAgain(_ after: StoreContents, _ heard: Heard) throws -> [Problem] {
    heard.reset()
    let again = try StoreContents(of: to, try container(to, at: url, heard))
    var problems: [Problem] = []
    let advice = "after a stage, the store must match the version; check the values written by the steps"
    if heard.isAnything {
      problems.append(hop.problem("opening the store a second time migrates it again", advice))
    }
    if let difference = again.difference(from: after) {
      problems.append(hop.problem("opening the store a second time changes it: \(difference)", advice))
    }
    return problems
  }

  /// Checks that the backup equals the store before the migration.
  private func checkBackups(_ before: StoreContents) throws -> [Problem] {
    let names = try FileManager.default.contentsOfDirectory(atPath: storeFolder.path)
    let prefix = url.lastPathComponent + ".backup-"
    let copies = names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix("-external") }
    return try copies.flatMap { name -> [Problem] in
      let backup = storeFolder.appendingPathComponent(name)
      let contents = try StoreContents(of: from, try container(from, at: backup))
      try FileManager.default.removeItem(at: backup)
      try? FileManager.default.removeItem(atPath: backup.path + "-external")
      return contents.difference(from: before).map { difference in
        [hop.problem("the backup '\(name)' differs from the old store: \(difference)", MatrixHop.report)]
      } ?? []
    }
  }
}

/// Counts migration progress events.
final class Heard: Sendable {
  private let count = Mutex(0)

  func note() { count.withLock { $0 += 1 } }
  func reset() { count.withLock { $0 = 0 } }
  var isAnything: Bool { count.withLock { $0 > 0 } }
}

/// Checks the files that remain if a process is killed during a migration.
extension FileHop {
  /// Checks that each image is the complete old or new store, and that an old store can still be migrated.
  func check(
    _ images: StoreImages, _ before: StoreContents, _ after: StoreContents, _ facts: StoreFacts
  ) -> [Problem] {
    var problems: [Problem] = []
    let all = images.images
    var isNew = false
    for (index, image) in all.enumerated() {
      do {
        let found = try check(image, before, after, facts, migrates: index == all.count / 2)
        if let problem = found.problem { problems.append(problem) }
        if isNew, !found.isNew {
          problems.append(broken(image, "the new store has reverted to the old store"))
        }
        isNew = found.isNew
      } catch {
        problems.append(broken(image, "\(error)"))
      }
    }
    return problems
  }

  private func check(
    _ image: (statement: Int, folder: URL), _ before: StoreContents, _ after: StoreContents,
    _ old: StoreFacts, migrates: Bool
  ) throws -> (isNew: Bool, problem: Problem?) {
    let url = image.folder.appendingPathComponent(self.url.lastPathComponent)
    let facts = try StoreFacts(of: url)
    if let complaint = facts.complaints.first { return (false, broken(image, complaint)) }
    let isOld = facts.fingerprint == old.fingerprint && facts.version == old.version
    if isOld {
      let contents = try StoreContents(of: from, try container(from, at: url))
      if let difference = contents.difference(from: before) { return (false, broken(image, difference)) }
      guard migrates else { return (false, nil) }
    }
    let contents = try StoreContents(of: to, try container(to, at: url))
    guard contents.isAlike(after) else {
      let what = isOld ? "a second attempt produces different rows" : "rows of the new store are missing"
      return (!isOld, broken(image, what))
    }
    return (!isOld, nil)
  }

  private func broken(_ image: (statement: Int, folder: URL), _ what: String) -> Problem {
    hop.problem(
      "a process killed before statement \(image.statement + 1) leaves an incomplete store: \(what)",
      "steps must not write outside the store's transaction; if they do not, please report this bug")
  }
}
