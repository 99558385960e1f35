import Foundation
import TestSupport
import Trellis

/// Random rows in a store.
enum DifferentialWorld {
  static func emptyContext(
    _ configuration: any DataStoreConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)
  ) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self]),
        configurations: [configuration]))
  }

  /// A row with neutral values.
  static func row(_ owner: DiffOwner) -> DiffRow {
    DiffRow(
      name: "", note: nil, count: 0, small: 0, big: 0, optCount: nil, flag: false, optFlag: nil,
      size: 0, optSize: nil, ratio: 0, date: Date(timeIntervalSinceReferenceDate: 0), optDate: nil,
      price: 0, optPrice: nil, uid: UUID(), optUID: nil, link: nil, data: Data(), letter: " ",
      kind: .work, optKind: nil, level: .low, rank: .first, place: DiffPlace(city: ""),
      optPlace: nil, tags: [], group: nil, owner: owner, parts: [], labels: [])
  }

  /// A context with saved rows that contain random values. If `irregular` is false, all text is in NFC and no number
  /// is NaN. If `hasNull` is false, no text contains U+0000.
  static func context(
    _ count: Int, irregular: Bool, hasNull: Bool = true, _ dice: inout SeededGenerator,
    in configuration: any DataStoreConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)
  ) throws -> ModelContext {
    let context = try emptyContext(configuration)
    let texts = (irregular ? DiffPool.texts : DiffPool.plainTexts).filter { hasNull || !$0.utf8.contains(0) }
    let reals = irregular ? DiffPool.reals : DiffPool.reals.filter { !$0.isNaN }
    var groups: [DiffGroup] = []
    for number in 0..<5 {
      let group = DiffGroup(
        number: number, title: dice.pick(texts), rank: dice.perhaps(DiffPool.calmNumbers),
        flag: dice.roll(2) == 0, parent: groups.isEmpty ? nil : dice.perhaps(groups), rows: [])
      context.insert(group)
      groups.append(group)
    }
    let owners = (0..<4).map { _ in
      DiffOwner(
        name: dice.pick(texts), code: dice.perhaps(texts), best: dice.perhaps(groups))
    }
    let labels = (0..<5).map { _ in DiffLabel(text: dice.pick(texts), rows: []) }
    for _ in 0..<count {
      let row = self.row(dice.pick(owners))
      fill(row, irregular: irregular, texts, reals, &dice)
      row.group = dice.perhaps(groups)
      context.insert(row)
      row.parts = (0..<dice.roll(4)).map { _ in
        DiffPart(
          title: dice.pick(texts), weight: dice.perhaps(DiffPool.calmNumbers), row: nil,
          maker: dice.perhaps(owners))
      }
      row.labels = labels.filter { _ in dice.roll(4) == 0 }
    }
    try context.save()
    return context
  }

  static func fill(
    _ row: DiffRow, irregular: Bool, _ texts: [String], _ reals: [Double], _ dice: inout SeededGenerator
  ) {
    row.name = dice.pick(texts)
    row.note = dice.perhaps(texts)
    row.count = dice.pick(DiffPool.numbers)
    row.small = dice.pick(DiffPool.small)
    row.big = dice.pick(DiffPool.big)
    row.optCount = dice.perhaps(DiffPool.calmNumbers)
    row.flag = dice.roll(2) == 0
    row.optFlag = dice.perhaps([true, false])
    row.size = dice.pick(reals)
    row.optSize = dice.perhaps(reals)
    row.ratio = dice.pick(irregular ? DiffPool.floats : DiffPool.floats.filter { !$0.isNaN })
    row.date = Date(timeIntervalSinceReferenceDate: dice.pick(reals))
    row.optDate = dice.perhaps(reals).map { Date(timeIntervalSinceReferenceDate: $0) }
    row.price = dice.pick(DiffPool.decimals)
    row.optPrice = dice.perhaps(DiffPool.decimals)
    row.uid = dice.pick(DiffPool.uuids)
    row.optUID = dice.perhaps(DiffPool.uuids)
    row.link = dice.perhaps(DiffPool.urls)
    row.data = dice.pick(DiffPool.blobs)
    row.letter = dice.pick(irregular ? DiffPool.letters : ["a", "é", "\r\n", " "])
    row.kind = dice.pick(DiffKind.allCases)
    row.optKind = dice.perhaps(DiffKind.allCases)
    row.level = dice.pick(DiffLevel.allCases)
    row.rank = dice.pick([.first, .second])
    row.place = place(texts, reals, &dice)
    row.optPlace = dice.roll(3) == 0 ? nil : place(texts, reals, &dice)
    row.tags = (0..<dice.roll(3)).map { _ in dice.pick(texts) }
  }

  private static func place(
    _ texts: [String], _ reals: [Double], _ dice: inout SeededGenerator
  ) -> DiffPlace {
    DiffPlace(
      city: dice.pick(texts), floor: dice.perhaps(DiffPool.calmNumbers), height: dice.pick(reals),
      isOpen: dice.roll(2) == 0)
  }
}
