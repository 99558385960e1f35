import Foundation
import Testing

@testable import Trellis

/// Random rows in a real store.
enum DifferentialWorld {
  static func emptyContext() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  /// A row in which nothing matters.
  static func row(_ owner: DiffOwner) -> DiffRow {
    DiffRow(
      name: "", note: nil, count: 0, small: 0, big: 0, optCount: nil, flag: false, optFlag: nil,
      size: 0, optSize: nil, ratio: 0, date: Date(timeIntervalSinceReferenceDate: 0), optDate: nil,
      price: 0, optPrice: nil, uid: UUID(), optUID: nil, link: nil, data: Data(), letter: " ",
      kind: .work, optKind: nil, level: .low, rank: .first, place: DiffPlace(city: ""),
      optPlace: nil, tags: [], group: nil, owner: owner, parts: [], labels: [])
  }
}
