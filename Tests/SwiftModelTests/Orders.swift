import Foundation
import Trellis

// One app before and after its properties and cases were reordered.

enum Order1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Card.self, Deck.self] }

  enum Suit: String, Codable { case hearts, spades }
  struct Size: Codable, Equatable {
    var width: Int = 1
    var height: Double = 2.5
  }

  @Model final class Card {
    @Attribute(.preserveValueOnDeletion) var name: String
    var rank: Int
    var size = Size()
    var suit: Suit
    var deck: Deck?
    @Attribute(.preserveValueOnDeletion) var note: String
    init(name: String, rank: Int) {
      self.name = name
      self.rank = rank
      suit = .spades
      note = "note of \(name)"
    }
  }

  @Model final class Deck {
    var title: String
    @Relationship(inverse: \Card.deck) var cards: [Card] = []
    init(title: String) { self.title = title }
  }
}

enum OrderOther: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Card.self, Deck.self] }

  enum Suit: String, Codable { case spades, hearts }
  struct Size: Codable, Equatable {
    var height: Double = 2.5
    var width: Int = 1
  }

  @Model final class Card {
    @Attribute(.preserveValueOnDeletion) var note: String
    var deck: Deck?
    var suit: Suit
    var size = Size()
    var rank: Int
    @Attribute(.preserveValueOnDeletion) var name: String
    init(name: String, rank: Int) {
      self.name = name
      self.rank = rank
      suit = .spades
      note = "note of \(name)"
    }
  }

  @Model final class Deck {
    @Relationship(inverse: \Card.deck) var cards: [Card] = []
    var title: String
    init(title: String) { self.title = title }
  }
}

enum Order2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Card.self, Deck.self] }

  @Model final class Card {
    @Attribute(.preserveValueOnDeletion) var note: String
    var deck: Deck?
    var rank: Int
    var added: Int = 5
    @Attribute(.preserveValueOnDeletion) var name: String
    init(name: String, rank: Int) {
      self.name = name
      self.rank = rank
      note = "note of \(name)"
    }
  }

  @Model final class Deck {
    @Relationship(inverse: \Card.deck) var cards: [Card] = []
    var title: String
    init(title: String) { self.title = title }
  }
}
