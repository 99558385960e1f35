import Foundation
import Trellis

// Releases of an app with a class hierarchy. The later releases open stores of the first one.

enum Shelter1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Dog.self, Cat.self] }

  @Model class Animal {
    var legs: Int
    init(legs: Int) { self.legs = legs }
  }

  @Model final class Dog: Animal {
    var age: Int?
    init(age: Int?) {
      self.age = age
      super.init(legs: 11)
    }
  }

  @Model final class Cat: Animal {
    init() { super.init(legs: 12) }
  }
}

/// A property of a subclass becomes required.
enum Shelter2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Dog.self, Cat.self] }

  @Model class Animal {
    var legs: Int
    init(legs: Int) { self.legs = legs }
  }

  @Model final class Dog: Animal {
    var age: Int = 44
    init() { super.init(legs: 4) }
  }

  @Model final class Cat: Animal {
    init() { super.init(legs: 4) }
  }
}

/// The required property has no default value.
enum Shelter3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Dog.self, Cat.self] }

  @Model class Animal {
    var legs: Int
    init(legs: Int) { self.legs = legs }
  }

  @Model final class Dog: Animal {
    var age: Int
    init(age: Int) {
      self.age = age
      super.init(legs: 4)
    }
  }

  @Model final class Cat: Animal {
    init() { super.init(legs: 4) }
  }
}

/// A property is renamed, and two classes have a new property with its former name.
enum Shelter4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Dog.self, Cat.self] }

  @Model class Animal {
    var legs: Int
    init(legs: Int) { self.legs = legs }
  }

  @Model final class Dog: Animal {
    var age: Int = 44
    @Attribute(originalName: "age") var years: Int?
    init() { super.init(legs: 4) }
  }

  @Model final class Cat: Animal {
    var age: String = "x"
    init() { super.init(legs: 4) }
  }
}

/// The subclasses declare the superclass's property.
enum Shelter5: VersionedSchema {
  static let versionIdentifier = Schema.Version(5, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Dog.self, Cat.self] }

  @Model class Animal {
    init() {}
  }

  @Model final class Dog: Animal {
    var age: Int?
    var legs: Int = 3
    override init() { super.init() }
  }

  @Model final class Cat: Animal {
    var legs: Int = 4
    override init() { super.init() }
  }
}

enum Office1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self, Desk.self] }

  struct Pay: Codable {
    var cents = 5
    var currency = "EUR"
  }

  @Model final class Person {
    var name: String
    var rank: Int?
    var pay = Pay()
    @Relationship(inverse: nil) var desk: Desk?
    init(name: String) { self.name = name }
  }

  @Model final class Desk {
    var number: Int
    init(number: Int) { self.number = number }
  }
}

/// Strings as default values, a renamed property and a new list.
enum Office2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self, Desk.self] }

  struct Pay: Codable {
    var cents = 5
    var currency = "EUR"
  }

  @Model final class Person {
    @Attribute(originalName: "name") var title: String
    var rank: Int?
    var pay = Pay()
    var label: String = "e\u{301}"
    var bytes: String = "a\0b"
    var desk: Desk?
    init(title: String) { self.title = title }
  }

  @Model final class Desk {
    var number: Int
    @Relationship(inverse: \Person.desk) var persons: [Person] = []
    init(number: Int) { self.number = number }
  }
}

/// A new unique constraint.
enum Office3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self, Desk.self] }

  struct Pay: Codable {
    var cents = 5
    var currency = "EUR"
  }

  @Model final class Person {
    @Attribute(.unique) var name: String
    var rank: Int?
    var pay = Pay()
    @Relationship(inverse: nil) var desk: Desk?
    init(name: String) { self.name = name }
  }

  @Model final class Desk {
    var number: Int
    init(number: Int) { self.number = number }
  }
}

/// A struct lacks one of its properties.
enum Office4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Person.self, Desk.self] }

  struct Pay: Codable {
    var cents = 5
  }

  @Model final class Person {
    var name: String
    var rank: Int?
    var pay = Pay()
    @Relationship(inverse: nil) var desk: Desk?
    init(name: String) { self.name = name }
  }

  @Model final class Desk {
    var number: Int
    init(number: Int) { self.number = number }
  }
}
