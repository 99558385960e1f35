import Foundation
import Trellis

// Releases of an app with three levels of classes. The later releases open stores of the first one.

/// The first release.
enum Zoo1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Bird.self, Parrot.self, Owl.self, Keeper.self] }

  @Model class Animal {
    var legs: Int
    var keeper: Keeper?
    init(legs: Int) { self.legs = legs }
  }

  @Model class Bird: Animal {
    override init(legs: Int) {
      super.init(legs: legs)
    }
  }

  @Model final class Parrot: Bird {
    var word: String = "q"
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Owl: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Keeper {
    @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
    @Relationship(inverse: nil) var favorite: Animal?
    init() {}
  }
}

/// A property moves to the middle class, and new properties have the same names as columns that the store itself uses.
enum Zoo2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Bird.self, Parrot.self, Owl.self, Keeper.self] }

  @Model class Animal {
    var legs: Int
    var keeper: Keeper?
    var id: String = "i"
    var entity: String = "e"
    init(legs: Int) { self.legs = legs }
  }

  @Model class Bird: Animal {
    var word: String = "def"
    override init(legs: Int) {
      super.init(legs: legs)
    }
  }

  @Model final class Parrot: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Owl: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Keeper {
    @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
    @Relationship(inverse: nil) var favorite: Animal?
    init() {}
  }
}

/// The property that moves to the middle class has no default value there.
enum Zoo3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Bird.self, Parrot.self, Owl.self, Keeper.self] }

  @Model class Animal {
    var legs: Int
    var keeper: Keeper?
    init(legs: Int) { self.legs = legs }
  }

  @Model class Bird: Animal {
    var word: String
    override init(legs: Int) {
      word = ""
      super.init(legs: legs)
    }
  }

  @Model final class Parrot: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Owl: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Keeper {
    @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
    @Relationship(inverse: nil) var favorite: Animal?
    init() {}
  }
}

/// A class changes its superclass.
enum Zoo4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Bird.self, Parrot.self, Owl.self, Keeper.self] }

  @Model class Animal {
    var legs: Int
    var keeper: Keeper?
    init(legs: Int) { self.legs = legs }
  }

  @Model class Bird: Animal {
    override init(legs: Int) {
      super.init(legs: legs)
    }
  }

  @Model final class Parrot: Animal {
    var word: String = "q"
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Owl: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Keeper {
    @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
    @Relationship(inverse: nil) var favorite: Animal?
    init() {}
  }
}

/// A class is removed.
enum Zoo5: VersionedSchema {
  static let versionIdentifier = Schema.Version(5, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Bird.self, Parrot.self, Keeper.self] }

  @Model class Animal {
    var legs: Int
    var keeper: Keeper?
    init(legs: Int) { self.legs = legs }
  }

  @Model class Bird: Animal {
    override init(legs: Int) {
      super.init(legs: legs)
    }
  }

  @Model final class Parrot: Bird {
    var word: String = "q"
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Keeper {
    @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
    @Relationship(inverse: nil) var favorite: Animal?
    init() {}
  }
}

/// Two relationships are no longer inverses of each other.
enum Zoo6: VersionedSchema {
  static let versionIdentifier = Schema.Version(6, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Bird.self, Parrot.self, Owl.self, Keeper.self] }

  @Model class Animal {
    var legs: Int
    @Relationship(inverse: nil) var keeper: Keeper?
    init(legs: Int) { self.legs = legs }
  }

  @Model class Bird: Animal {
    override init(legs: Int) {
      super.init(legs: legs)
    }
  }

  @Model final class Parrot: Bird {
    var word: String = "q"
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Owl: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Keeper {
    @Relationship(inverse: nil) var animals: [Animal] = []
    @Relationship(inverse: nil) var favorite: Animal?
    init() {}
  }
}

/// A reference's destination type becomes a subclass.
enum Zoo7: VersionedSchema {
  static let versionIdentifier = Schema.Version(7, 0, 0)
  static var models: [any PersistentModel.Type] { [Animal.self, Bird.self, Parrot.self, Owl.self, Keeper.self] }

  @Model class Animal {
    var legs: Int
    var keeper: Keeper?
    init(legs: Int) { self.legs = legs }
  }

  @Model class Bird: Animal {
    override init(legs: Int) {
      super.init(legs: legs)
    }
  }

  @Model final class Parrot: Bird {
    var word: String = "q"
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Owl: Bird {
    override init(legs: Int) { super.init(legs: legs) }
  }

  @Model final class Keeper {
    @Relationship(inverse: \Animal.keeper) var animals: [Animal] = []
    @Relationship(inverse: nil) var favorite: Bird?
    init() {}
  }
}
