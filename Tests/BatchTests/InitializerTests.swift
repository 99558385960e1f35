import Foundation
import Testing
import Trellis

/// Tests of the memberwise initialisers of generated snapshots.
@Suite struct InitializerTests {
  @Test func defaultsMatchTheSchema() {
    let person = Person.Snapshot(name: "Ada")
    #expect(person.age == 30)
    #expect(person.notes == nil)
    #expect(person.persistentIdentifier.isTemporary)
    #expect(person.persistentIdentifier.entityName == "Person")
    #expect(person.persistentIdentifier != Person.Snapshot(name: "Ada").persistentIdentifier)
  }

  @Test func referencesAreIdentifiers() {
    let mentor = Person.Snapshot(name: "Ada")
    let pupil = Person.Snapshot(name: "Ben", mentor: mentor.persistentIdentifier)
    #expect(pupil.mentor == mentor.persistentIdentifier)
  }

  @Test func subclassInitialisersTakeInheritedProperties() {
    let dog = Dog.Snapshot(name: "Rex", legs: 3, breed: "Beagle")
    #expect(dog.base.name == "Rex")
    #expect(dog.base.legs == 3)
    #expect(dog.own.breed == "Beagle")
    #expect(dog.own.isTrained == false)
    #expect(dog.persistentIdentifier.entityName == "Dog")
  }

  @Test func externalDataIsPassedAsData() {
    let scan = Scan.Snapshot(title: "a", image: Data([1, 2]))
    #expect(scan.image.data == Data([1, 2]))
    #expect(scan.preview.optionalData == nil)
  }
}
