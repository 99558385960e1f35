import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Lists that become references, and references that move to the other end. No data is lost silently.
@Suite struct LinkTests {
  enum Teams1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Team.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Teams2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Team.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Lightweight: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Teams1.self, Teams2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: Teams1.self, toVersion: Teams2.self)] }
  }

  /// Chooses one of several members before the cardinality changes.
  enum Choosing: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Teams1.self, Teams2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Teams1.self, toVersion: Teams2.self,
          willMigrate: { context in
            for team in try context.all(ClassicV1.Team.self) {
              team.sponsors = Array(team.sponsors.sorted { $0.name > $1.name }.prefix(1))
            }
            try context.save()
          }, didMigrate: nil)
      ]
    }
  }

  enum Accepting: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Teams1.self, Teams2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: Teams1.self, toVersion: Teams2.self, [.accept(["Team.sponsor"])])]
    }
  }

  enum Clubs1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Club.self, ClassicV1.Coach.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Clubs2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Club.self, ClassicV2.Coach.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum ClubsInferred: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Clubs1.self, Clubs2.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum ClubsAccepted: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Clubs1.self, Clubs2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Clubs1.self, toVersion: Clubs2.self,
          [.accept(["Club.home", "Club.halls", "Club.owners", "Club.motto"])])
      ]
    }
  }

  enum ClubsMisspelt: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Clubs1.self, Clubs2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: Clubs1.self, toVersion: Clubs2.self, [.accept(["Club.hmoe"])])]
    }
  }

  enum Choirs1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Choir.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Choirs2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Choir.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum ChoirsInferred: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Choirs1.self, Choirs2.self] }
    static var stages: [MigrationStage] { [] }
  }

  /// The plan that is generated for `accept MIG062 Choir.singers`.
  enum ChoirsAccepted: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Choirs1.self, Choirs2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Choirs1.self, toVersion: Choirs2.self,
          [.accept(["Choir.singers", "Singer.choir"])])
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  /// - Parameter sponsors: The number of sponsors of the first team.
  private func fill(sponsors: Int) throws {
    let context = try fixture.open(Teams1.self)
    let teams = ["A", "B"].map { ClassicV1.Team(name: $0) }
    for team in teams { context.insert(team) }
    teams[0].players = [ClassicV1.Player(name: "p"), ClassicV1.Player(name: "q")]
    teams[1].players = [ClassicV1.Player(name: "r")]
    teams[0].sponsors = (0..<sponsors).map { ClassicV1.Sponsor(name: "s\($0)") }
    teams[1].coaches = [ClassicV1.Coach(name: "c")]
    teams[1].prizes = [ClassicV1.Prize(name: "x"), ClassicV1.Prize(name: "y")]
    context.insert(ClassicV1.Prize(name: "nobody's"))
    try context.save()
  }

  private func teams(_ context: ModelContext) throws -> [ClassicV2.Team] {
    try context.fetch(FetchDescriptor<ClassicV2.Team>(sortBy: [SortDescriptor(\.name)]))
  }

  private func sponsors(_ plan: any SchemaMigrationPlan.Type) throws -> [String?] {
    let context = try fixture.open(Teams2.self, plan)
    return try teams(context).map { $0.sponsor?.name }
  }

  @Test func unambiguousLinksAreConverted() throws {
    try fill(sponsors: 1)
    let context = try fixture.open(Teams2.self, Lightweight.self)
    let teams = try teams(context)
    // Join rows with one partner each become references.
    #expect(Set(teams[0].players.map(\.name)) == ["p", "q"] && teams[1].players.map(\.name) == ["r"])
    #expect(try context.all(ClassicV2.Player.self).allSatisfy { $0.team.players.contains($0) })
    #expect(teams.map { $0.sponsor?.name } == ["s0", nil])
    // Both ends have the values of the members.
    #expect(teams.map { $0.coach?.name } == [nil, "c"] && teams[1].coach?.team == teams[1])
    // The reference was renamed; the list was not.
    #expect(Set(teams[1].prizes.map(\.name)) == ["x", "y"])
    #expect(try context.all(ClassicV2.Prize.self).count { $0.winner == nil } == 1)
    #expect(try fixture.complaints() == "")
  }

  @Test func ambiguousLinksAreReportedAndNothingIsChanged() throws {
    try fill(sponsors: 2)
    let before = try fixture.shell("SELECT * FROM Team_sponsors; SELECT * FROM trellis_metadata")
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(Teams2.self, Lightweight.self)
    }
    let text = "\(try #require(error))"
    #expect(text.contains("'Team.sponsor'") && text.contains("Team/1") && text.contains(".accept("))
    #expect(error?.storeProblem == .migrationFailed)
    #expect(try fixture.shell("SELECT * FROM Team_sponsors; SELECT * FROM trellis_metadata") == before)
    #expect(fixture.backups.isEmpty)
    #expect(try sponsors(Choosing.self) == ["s1", nil])
  }

  @Test func oneLinkIsKeptIfTheLossIsAccepted() throws {
    try fill(sponsors: 3)
    #expect(try sponsors(Accepting.self) == ["s0", nil])
    #expect(try fixture.complaints() == "")
  }

  @Test(arguments: [false, true])
  func listsThatGetAnInverseKeepMembersWithOneOwner(isShared: Bool) throws {
    let old = try fixture.open(Choirs1.self)
    let choirs = ["A", "B"].map { ClassicV1.Choir(name: $0) }
    for choir in choirs { old.insert(choir) }
    let singers = ["s", "t"].map { ClassicV1.Singer(name: $0) }
    for singer in singers { old.insert(singer) }
    choirs[0].singers = [singers[0]]
    choirs[1].singers = isShared ? singers : [singers[1]]
    try old.save()
    if isShared {
      let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try fixture.open(Choirs2.self, ChoirsInferred.self)
      }
      #expect("\(try #require(error))".contains("'Singer.choir'"))
    }
    let context = try fixture.open(Choirs2.self, isShared ? ChoirsAccepted.self : ChoirsInferred.self)
    let kept = try context.fetch(FetchDescriptor<ClassicV2.Choir>(sortBy: [SortDescriptor(\.name)]))
    #expect(kept.map { $0.singers.map(\.name) } == [["s"], ["t"]])
    #expect(try context.all(ClassicV2.Singer.self).allSatisfy { $0.choir?.singers == [$0] })
    #expect(try fixture.complaints() == "")
  }

  @Test func missingRequiredReferencesAreErrors() throws {
    try fill(sponsors: 0)
    let old = try fixture.open(Teams1.self)
    try old.add([ClassicV1.Player(name: "alone")])
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(Teams2.self, Lightweight.self)
    }
    #expect("\(try #require(error))".contains("Player.team"))
    #expect(try fixture.open(Teams1.self).all(ClassicV1.Player.self).count == 4)
  }

  @Test func linksToOtherModelsAreNotDroppedSilently() throws {
    let old = try fixture.open(Clubs1.self)
    let club = ClassicV1.Club(name: "k", motto: "m")
    old.insert(club)
    club.home = ClassicV1.Sponsor(name: "s")
    club.halls = [ClassicV1.Sponsor(name: "h")]
    try old.save()
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(Clubs2.self, ClubsInferred.self)
    }
    let text = "\(try #require(error))"
    for name in ["Club.home", "Club.halls", "Club.owners", "Club.motto"] { #expect(text.contains("'\(name)'")) }
    #expect(text.contains("was a reference to 'Sponsor' and is now a reference to 'Coach'"))
    #expect(text.contains("was a list of 'Sponsor' and is now 'String'"))
    let misspelt = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try fixture.open(Clubs2.self, ClubsMisspelt.self)
    }
    #expect("\(try #require(misspelt))".contains("Club.hmoe"))
    let untouched = try fixture.open(Clubs1.self)
    #expect(try untouched.all(ClassicV1.Club.self).first?.home?.name == "s")
    let context = try fixture.open(Clubs2.self, ClubsAccepted.self)
    let new = try #require(try context.all(ClassicV2.Club.self).first)
    #expect(new.home == nil && new.halls.isEmpty && new.owners == nil && new.motto == nil)
    #expect(try fixture.complaints() == "")
    #expect(fixture.backups == ["test.store.backup-1.0.0"])
  }
}
