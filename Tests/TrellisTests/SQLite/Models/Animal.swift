import Foundation

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// The root of a hierarchy. A property has the name of the column that distinguishes entities.
class Animal: PersistentModel {
  typealias Root = Animal
  var _$state = ModelState()
  var _$values: Animal.Snapshot

  var name: String { _$values.name }
  var entity: Int { _$values.entity }
  var friend: Animal? { _$toOne(2, \Animal.friend) }

  required init(_$values values: Animal.Snapshot) { _$values = values }
  required init(backingData: any BackingData<Animal>) {
    _$values = Animal.Snapshot(placeholder: Animal._$ownDefinition.temporaryIdentifier())
  }
  deinit { _$state.close(_$values.persistentIdentifier) }

  var _$identifier: PersistentIdentifier { _$values.persistentIdentifier }
  func _$adopt(_ identifier: PersistentIdentifier) {
    _$values.persistentIdentifier = identifier
  }
  static let _$ownDefinition = ModelDefinition(Animal.Snapshot.self, name: "Animal", codec: 1)
  class var _$definition: ModelDefinition { _$ownDefinition }

  class var schemaMetadata: [Schema.PropertyMetadata] {
    [
      .init(
        name: "name", keypath: \Animal.name, metadata: Schema.Attribute(.unique)),
      .init(name: "entity", keypath: \Animal.entity),
      .init(
        name: "friend", keypath: \Animal.friend, metadata: Schema.Relationship(.unidirectional)),
    ]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Animal
    var persistentIdentifier = Animal._$ownDefinition.temporaryIdentifier()
    var name = ""
    var entity = 0
    var friend: PersistentIdentifier?

    init() {}
    init(from row: inout StatementRow) throws {
      persistentIdentifier = row.identifier
      name = try row.value(0)
      entity = try row.value(1)
      friend = row.reference(2)
    }
    func write(to row: inout StatementBinder) throws {
      try row.value(0, name)
      try row.value(1, entity)
      try row.reference(2, friend)
    }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: Animal) { self = model._$values }
    func makeModel() -> Animal { Animal(_$values: self) }
    func restore(_ model: Animal) { model._$values = self }
    func reference(_ slot: Int) -> PersistentIdentifier? { slot == 2 ? friend : nil }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      if slot == 2 { friend = identifier }
    }
  }
}

/// Adds a property that its sibling has with another type.
final class Dog: Animal {
  var _$dog = Dog.OwnValues()
  var age: Int { _$dog.age }

  struct OwnValues: Codable, Sendable {
    var age = 0
  }

  init(_$values values: Dog.Snapshot) {
    _$dog = values.own
    super.init(_$values: values.base)
  }
  required init(_$values values: Animal.Snapshot) { super.init(_$values: values) }
  required init(backingData: any BackingData<Animal>) { super.init(backingData: backingData) }
  static let _$dogDefinition = ModelDefinition(
    Dog.Snapshot.self, name: "Dog", superentity: "Animal", codec: 1)
  override class var _$definition: ModelDefinition { _$dogDefinition }
  override class var schemaMetadata: [Schema.PropertyMetadata] {
    super.schemaMetadata.dog + [.init(name: "age", keypath: \Dog.age)]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Dog
    var base: Animal.Snapshot
    var own: OwnValues
    var persistentIdentifier: PersistentIdentifier {
      get { base.persistentIdentifier }
      set { base.persistentIdentifier = newValue }
    }
    init(name: String, age: Int) {
      base = Animal.Snapshot().with { $0.name = name }
      base.persistentIdentifier = Dog._$dogDefinition.temporaryIdentifier()
      own = OwnValues(age: age)
    }
    init(from row: inout StatementRow) throws {
      base = try Animal.Snapshot(from: &row)
      own = OwnValues(age: try row.value(3))
    }
    func write(to row: inout StatementBinder) throws {
      try base.write(to: &row)
      try row.value(3, own.age)
    }
    init(placeholder identifier: PersistentIdentifier) {
      base = Animal.Snapshot(placeholder: identifier)
      own = OwnValues()
    }
    init(of model: Dog) {
      base = model._$values
      own = model._$dog
    }
    func makeModel() -> Dog { Dog(_$values: self) }
    func restore(_ model: Dog) {}
    func reference(_ slot: Int) -> PersistentIdentifier? { base.reference(slot) }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      base.setReference(slot, to: identifier)
    }
  }
}

final class Cat: Animal {
  var _$cat = Cat.OwnValues()
  var age: String { _$cat.age }

  struct OwnValues: Codable, Sendable {
    var age = ""
  }

  init(_$values values: Cat.Snapshot) {
    _$cat = values.own
    super.init(_$values: values.base)
  }
  required init(_$values values: Animal.Snapshot) { super.init(_$values: values) }
  required init(backingData: any BackingData<Animal>) { super.init(backingData: backingData) }
  static let _$catDefinition = ModelDefinition(
    Cat.Snapshot.self, name: "Cat", superentity: "Animal", codec: 1)
  override class var _$definition: ModelDefinition { _$catDefinition }
  override class var schemaMetadata: [Schema.PropertyMetadata] {
    super.schemaMetadata.cat + [.init(name: "age", keypath: \Cat.age)]
  }

  struct Snapshot: ModelSnapshot {
    typealias Model = Cat
    var base: Animal.Snapshot
    var own: OwnValues
    var persistentIdentifier: PersistentIdentifier {
      get { base.persistentIdentifier }
      set { base.persistentIdentifier = newValue }
    }
    init(name: String, age: String) {
      base = Animal.Snapshot().with { $0.name = name }
      base.persistentIdentifier = Cat._$catDefinition.temporaryIdentifier()
      own = OwnValues(age: age)
    }
    init(from row: inout StatementRow) throws {
      base = try Animal.Snapshot(from: &row)
      own = OwnValues(age: try row.value(3))
    }
    func write(to row: inout StatementBinder) throws {
      try base.write(to: &row)
      try row.value(3, own.age)
    }
    init(placeholder identifier: PersistentIdentifier) {
      base = Animal.Snapshot(placeholder: identifier)
      own = OwnValues()
    }
    init(of model: Cat) {
      base = model._$values
      own = model._$cat
    }
    func makeModel() -> Cat { Cat(_$values: self) }
    func restore(_ model: Cat) {}
    func reference(_ slot: Int) -> PersistentIdentifier? { base.reference(slot) }
    mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {
      base.setReference(slot, to: identifier)
    }
  }
}

extension [Schema.PropertyMetadata] {
  /// Inherited properties with the key paths of a subclass, as in generated code.
  fileprivate var dog: Self {
    zip(self, [\Dog.name, \Dog.entity, \Dog.friend]).map { entry, keyPath in
      .init(name: entry.name, keypath: keyPath, metadata: entry.metadata)
    }
  }

  fileprivate var cat: Self {
    zip(self, [\Cat.name, \Cat.entity, \Cat.friend]).map { entry, keyPath in
      .init(name: entry.name, keypath: keyPath, metadata: entry.metadata)
    }
  }
}
