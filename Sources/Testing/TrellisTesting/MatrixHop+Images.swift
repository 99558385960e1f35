import Foundation
import Trellis

/// Checks of the files that a killed process leaves during a migration.
extension MatrixHop {
  /// Checks that each image is the complete old or new store, and that an old store still migrates.
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
          problems.append(broken(image, "the store was the new one already, and is the old one again"))
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
      let what = isOld ? "a second attempt gives other rows" : "rows of the new store are missing"
      return (!isOld, broken(image, what))
    }
    return (!isOld, nil)
  }

  private func broken(_ image: (statement: Int, folder: URL), _ what: String) -> Problem {
    problem(
      "a process killed before statement \(image.statement + 1) leaves neither store: \(what)",
      "nothing outside of the store's transaction may be written by a step; else please report it")
  }
}

extension StoreContents {
  /// True if the rows and their references are equal. Values can differ, because migration steps can use the time or
  /// random values.
  fileprivate func isAlike(_ other: StoreContents) -> Bool {
    rows.mapValues { $0.mapValues(\.links) } == other.rows.mapValues { $0.mapValues(\.links) }
  }
}
