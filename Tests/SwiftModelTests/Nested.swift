import Foundation
import Trellis

// Related models that are nested in another model, or in types that are not versions.

typealias Voter = Residents.Voter

enum Towns {
  @Model final class Town {
    #Index<Town>([\.name])
    var name: String
    var kind: Kind = Kind.small
    @Relationship(deleteRule: .cascade, inverse: \Residents.Voter.town) var voters: [Voter] = []
    @Relationship(inverse: \Ballot.town) var ballots: [Ballot] = []
    init(name: String) { self.name = name }

    enum Kind: String, Codable { case small, large }
  }
}

enum Residents {
  @Model final class Voter {
    var name: String
    var town: Towns.Town?
    var slips: [Ballot.Slip] = []
    init(name: String) { self.name = name }
  }
}

@Model final class Ballot {
  var title: String
  var town: Towns.Town?
  @Relationship(deleteRule: .cascade, inverse: \Slip.ballot) var slips: [Slip] = []
  init(title: String) { self.title = title }

  @Model final class Slip {
    var choice: Int
    var ballot: Ballot?
    @Relationship(inverse: \Voter.slips) var voter: Voter?
    init(choice: Int) { self.choice = choice }
  }
}
