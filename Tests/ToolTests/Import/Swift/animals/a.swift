import Foundation
import SwiftData
@Model class Animal { var name: String; var born: Date?; @Relationship(inverse: \Owner.pets) var owner: Owner?
  var hash: String = ""
  init(name: String, born: Date? = nil) { self.name = name; self.born = born } }
@available(iOS 26, macOS 26, *)
@Model class Dog: Animal { var breed: Breed = Breed.mixed; var trick: Trick?
  init(name: String, breed: Breed) { self.breed = breed; super.init(name: name); hash = name }
  enum Breed: String, Codable { case mixed, poodle } 
  var key: String { hash + self.hash } }
@available(iOS 26, macOS 26, *)
@Model final class Puppy: Dog { var weeks: Int = 0
  init(name: String) { super.init(name: name, breed: .poodle) } }
@Model final class Owner { var pets: [Animal] = []; var favourite: Dog?; init() {} }
enum Trick: Codable, Hashable { case sit, fetch(what: String, times: Int), roll(Direction) 
  enum Direction: String, Codable { case left, right } }
