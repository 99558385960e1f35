import Testing

@Suite struct DiamondCascadeTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Firm {
        @Relationship(deleteRule: .cascade, inverse: \Team.firm) var teams: [Team]
        @Relationship(deleteRule: .cascade, inverse: \Person.firm) var people: [Person]
      }
      @Model class Team {
        var firm: Firm?
        @Relationship(deleteRule: .cascade, inverse: \Person.team) var members: [Person]
        //            ^~~~~~~~~~~~~~~~~~~~ warning[REL013]: cascades from 'Firm' reach 'Person' on two paths, and an owner can be deleted separately: Firm.people and Firm.teams → Team.members
      }
      @Model class Person { var firm: Firm; var team: Team? }
      """#)
  }

  @Test func modelsWithASingleOwner() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Trip {
        @Relationship(deleteRule: .cascade, inverse: nil) var days: [Day]
        @Relationship(deleteRule: .cascade, inverse: nil) var hotels: [Hotel]
      }
      @Model class Day { @Relationship(deleteRule: .cascade, inverse: \Photo.day) var photos: [Photo] }
      @Model class Hotel { @Relationship(deleteRule: .cascade, inverse: \Photo.hotel) var photos: [Photo] }
      //                                 ^~~~~~~~~~~~~~~~~~~~ info[REL013]: cascades from 'Trip' reach 'Photo' on two paths, and an owner can be deleted separately: Trip.days → Day.photos and Trip.hotels → Hotel.photos
      @Model class Photo { var day: Day?; var hotel: Hotel? }
      @Model class Panorama: Photo { var angle: Int }
      """#)
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Firm {
        @Relationship(deleteRule: .cascade, inverse: \Team.firm) var teams: [Team]
        @Relationship(deleteRule: .cascade, inverse: \Person.firm) var people: [Person]
        @Relationship(deleteRule: .cascade, inverse: nil) var home: Address?
        @Relationship(deleteRule: .cascade, inverse: nil) var office: Address?
      }
      @Model class Team { var firm: Firm?; var members: [Person] }
      @Model class Person {
        var firm: Firm
        var team: Team?
        @Relationship(deleteRule: .cascade, inverse: nil) var notes: [Note]
      }
      @Model class Address { var street: String }
      @Model class Note { @Relationship(deleteRule: .cascade, inverse: \Note.parent) var answers: [Note]; var parent: Note? }
      @Model class Ship { @Relationship(deleteRule: .cascade, inverse: nil) var notes: [Note] }
      """#)
  }
}
