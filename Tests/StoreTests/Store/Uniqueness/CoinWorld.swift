import Foundation
import TestSupport
import Trellis

/// Reproducible random saves of coins with their outcomes.
final class CoinWorld {
  let container: ModelContainer
  private(set) var context: ModelContext
  private var next = 0
  /// The actions of the last step, for failure messages.
  private(set) var actions: [String] = []

  init(_ configuration: any DataStoreConfiguration) throws {
    container = try ModelContainer(
      for: Coin.self, Medal.self, CoinOwner.self, CoinScratch.self, configurations: configuration)
    context = ModelContext(container)
  }

  // Small pools, so that most saves cause a conflict.
  private static let names = [nil, "a", "b", "caf\u{E9}", "cafe\u{301}", "\u{212A}", "K"]
  private static let sizes: [Double?] = [nil, 0, -0.0, .nan, 1.5]

  private var label: Int {
    next += 1
    return next
  }

  /// Makes some changes and saves them. Returns the outcome.
  func step(_ dice: inout SeededGenerator) throws -> String {
    // A new context has no objects for the existing rows.
    if dice.roll(3) == 0 { context = ModelContext(container) }
    let coins = try context.fetch(FetchDescriptor<Coin>(sortBy: [SortDescriptor(\.label)]))
    let owners = try context.fetch(FetchDescriptor<CoinOwner>(sortBy: [SortDescriptor(\.label)]))
    if dice.roll(3) == 0 { _ = owners.map { ($0.coins.count, $0.favourites.count) } }
    var fresh: [Coin] = []
    actions = []
    for _ in 0...dice.roll(4) {
      switch dice.roll(10) {
      case 0:
        if let coin = coins.isEmpty ? nil : dice.pick(coins) {
          context.delete(coin)
          actions.append("delete \(coin.label)")
        }
      case 1, 2: if let coin = coins.isEmpty ? nil : dice.pick(coins) { edit(coin, owners, &dice) }
      case 3: context.insert(CoinOwner(label: label, name: "owner \(dice.roll(3))"))
      case 4:
        if coins.count > 1 {
          let (one, other) = (dice.pick(coins), dice.pick(coins))
          (one.name, other.name) = (other.name, one.name)
        }
      default:
        let coin = dice.roll(4) == 0 ? Medal(label: label) : Coin(label: label)
        context.insert(coin)
        edit(coin, owners, &dice)
        relate(coin, coins + fresh, owners, &dice)
        fresh.append(coin)
      }
    }
    do {
      try context.save()
    } catch let error as SwiftDataError {
      let texts = error.details.map { describe($0) }
      context.rollback()
      return "refused: \(texts)"
    }
    return "saved"
  }

  private func edit(_ coin: Coin, _ owners: [CoinOwner], _ dice: inout SeededGenerator) {
    switch dice.roll(4) {
    case 0:
      coin.name = dice.pick(Self.names)
      coin.serial = dice.roll(2) == 0 ? nil : dice.roll(4)
    case 1:
      coin.metal = dice.pick([nil] + Coin.Metal.allCases)
      coin.size = dice.pick(Self.sizes)
    case 2:
      coin.owner = owners.isEmpty ? nil : dice.pick(owners)
      coin.slot = dice.roll(3)
    default: coin.name = dice.pick(Self.names)
    }
    coin.note = dice.pick([nil, "x", "y", "z"])
    if let medal = coin as? Medal { medal.rank = dice.roll(3) == 0 ? dice.roll(3) : nil }
    actions.append("edit \(text(of: coin))")
  }

  private func relate(
    _ coin: Coin, _ coins: [Coin], _ owners: [CoinOwner], _ dice: inout SeededGenerator
  ) {
    if dice.roll(3) == 0 { coin.scratches = [CoinScratch(label: label), CoinScratch(label: label)] }
    if dice.roll(3) == 0 { coin.friends = coins.filter { _ in dice.roll(3) == 0 } }
    guard !owners.isEmpty else { return }
    if dice.roll(3) == 0 { dice.pick(owners).favourites.append(coin) }
    if dice.roll(3) == 0 { coin.charmed = dice.pick(owners) }
    if dice.roll(4) == 0 {
      let owner = CoinOwner(label: label, name: "owner \(dice.roll(3))")
      owner.coins = [coin]
      actions.append("owner \(owner.label) \(owner.name)")
    }
    actions.append("relate \(text(of: coin))")
  }

  private func describe(_ violation: SwiftDataError.Violation) -> String {
    let others = violation.others.map(label(of:))
    return "\(label(of: violation.model)) \(violation.rule) \(violation.properties) "
      + "\(reason(violation)) \(others)"
  }

  /// Replaces temporary identifiers, which depend on the process.
  private func reason(_ violation: SwiftDataError.Violation) -> String {
    violation.reason.replacing(/CoinOwner\/[^,]+/) { _ in "an owner" }
  }

  private func label(of identifier: PersistentIdentifier) -> String {
    switch context.model(for: identifier) {
    case let coin as Coin: "coin \(coin.label)"
    case let owner as CoinOwner: "owner \(owner.label)"
    default: "?"
    }
  }

  private func text(of coin: Coin) -> String {
    """
    \(type(of: coin)) \(coin.label) \(coin.name.map { Array($0.utf8) } ?? []) \
    \(coin.serial ?? -1) \(coin.metal as Any) \(coin.size as Any) \(coin.slot ?? -1) \
    \(coin.note ?? "") \((coin as? Medal)?.rank ?? -1) owner \(coin.owner?.label ?? 0) \
    scratches \(coin.scratches.map(\.label).sorted()) lovers \(coin.lovers.map(\.label).sorted()) \
    charmed \(coin.charmed?.label ?? 0) friends \(coin.friends.map(\.label).sorted())
    """
  }

  /// All contents of a context as text.
  func text(in context: ModelContext) throws -> [String] {
    func labels(_ coins: [Coin]) -> [Int] { coins.map(\.label).sorted() }
    var lines: [String] = []
    for coin in try context.fetch(FetchDescriptor<Coin>(sortBy: [SortDescriptor(\.label)])) {
      lines.append(text(of: coin))
    }
    for owner in try context.fetch(FetchDescriptor<CoinOwner>(sortBy: [SortDescriptor(\.label)])) {
      lines.append(
        """
        owner \(owner.label) \(owner.name) coins \(labels(owner.coins)) \
        favourites \(labels(owner.favourites)) lucky \(owner.lucky?.label ?? 0)
        """)
    }
    for scratch in try context.fetch(FetchDescriptor<CoinScratch>(sortBy: [SortDescriptor(\.label)])) {
      lines.append("scratch \(scratch.label) of \(scratch.coin?.label ?? 0)")
    }
    return lines
  }
}
