import Foundation
import TestSupport

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

// The values that the default store's comparison also uses.
typealias Pool = DiffPool

extension PredicateStore {
  /// Rows of random values. Without `irregular`, all text is NFC and all numbers are numbers.
  func fill(_ count: Int, irregular: Bool, _ dice: inout SeededGenerator) throws {
    let texts = irregular ? Pool.texts : Pool.plainTexts
    let reals = irregular ? Pool.reals : Pool.reals.filter { !$0.isNaN }
    let groups = (0..<5).map { number in
      let group = Group()
      group.id = number
      group.title = dice.pick(texts)
      group.rank = dice.perhaps(Pool.calmNumbers)
      group.flag = dice.roll(2) == 0
      return group
    }
    for (index, group) in groups.enumerated() where index > 0 && dice.roll(3) > 0 {
      group.parent = groups[dice.roll(index)]
    }
    for group in groups { try add(group) }
    let owners = (0..<4).map { _ in
      let owner = Owner()
      owner.name = dice.pick(texts)
      owner.code = dice.perhaps(texts)
      owner.best = dice.perhaps(groups)
      return owner
    }
    for _ in 0..<count {
      let item = Item()
      item.name = dice.pick(texts)
      item.note = dice.perhaps(texts)
      item.count = dice.pick(Pool.numbers)
      item.small = dice.pick(Pool.small)
      item.big = dice.pick(Pool.big)
      item.optCount = dice.perhaps(Pool.calmNumbers)
      item.flag = dice.roll(2) == 0
      item.optFlag = dice.perhaps([true, false])
      item.size = dice.pick(reals)
      item.optSize = dice.perhaps(reals)
      item.ratio = dice.pick(irregular ? Pool.floats : Pool.floats.filter { !$0.isNaN })
      item.date = Date(timeIntervalSinceReferenceDate: dice.pick(reals))
      item.optDate = dice.perhaps(reals).map { Date(timeIntervalSinceReferenceDate: $0) }
      item.price = dice.pick(Pool.decimals)
      item.optPrice = dice.perhaps(Pool.decimals)
      item.uid = dice.pick(Pool.uuids)
      item.optUID = dice.perhaps(Pool.uuids)
      item.link = dice.perhaps(Pool.urls)
      item.data = dice.pick(Pool.blobs)
      item.letter = dice.pick(irregular ? Pool.letters : ["a", "é", "\r\n", " "])
      item.kind = dice.pick(Kind.allCases)
      item.optKind = dice.perhaps(Kind.allCases)
      item.level = dice.pick([.low, .high])
      item.group = dice.perhaps(groups)
      item.owner = dice.pick(owners)
      item.parts = (0..<dice.roll(4)).map { _ in
        let part = Part()
        part.title = dice.pick(texts)
        part.weight = dice.perhaps(Pool.calmNumbers)
        part.maker = dice.perhaps(owners)
        return part
      }
      item.labels = (0..<dice.roll(3)).map { _ in
        let label = Label()
        label.text = dice.pick(texts)
        return label
      }
      item.optParts = (0..<dice.roll(3)).map { _ in
        let extra = Extra()
        extra.amount = dice.pick(Pool.calmNumbers)
        return extra
      }
      if let group = item.group { group.items.append(item) }
      try add(item)
    }
  }
}
