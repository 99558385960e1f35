import Foundation
import SwiftData

@Model final class Match {
    @Relationship(inverse: \Team.matches) var home: Team?
    @Relationship(inverse: \Team.matches) var guest: Team?
    var winner: Team?
    init(home: Team, guest: Team) {
        self.home = home
        self.guest = guest
    }
    var title: String { "\(home?.name ?? "") – \(guest?.name ?? "")" }
}

@Model final class Team {
    var name: String = ""
    var matches: [Match] = []
    var mentor: Person?
    var captain: Person?
    init(name: String, mentor: Person?) { self.name = name; self.mentor = mentor }
}

@Model final class Person {
    var name: String = ""
    var led: [Team] = []
    var advised: [Team] = []
    @Relationship(deleteRule: .deny)
    var friends: [Person] = []
    @Relationship(inverse: \Team.name) var favourite: Team?
    init() { led = [] }
}
