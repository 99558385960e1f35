import Foundation
import Trellis

// Releases of an app with a class hierarchy and ordered lists. The later releases open stores of the first one.

/// The first release.
enum Depot1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Part.self, Gear.self, Cog.self, Bolt.self, Shelf.self] }

  @Model class Part {
    var number: Int
    init(number: Int) { self.number = number }
  }

  @Model class Gear: Part {
    @Attribute(.unique) var code: String?
    var wear: Double?
    var note: String?
    var shelf: Shelf?
    var maker: Shelf?
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Cog: Gear {
    var mark: String?
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Bolt: Part {
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Shelf {
    @Relationship(.ordered, inverse: \Gear.shelf) var gears: [Gear] = []
    @Relationship(deleteRule: .noAction, inverse: \Gear.maker) var made: [Gear] = []
    init() {}
  }
}

/// New properties have the same names as columns that other properties keep.
enum Depot2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Part.self, Gear.self, Cog.self, Bolt.self, Shelf.self] }

  @Model class Part {
    var number: Int
    var entity: String?
    init(number: Int) { self.number = number }
  }

  @Model final class Bolt: Part {
    var mark: String?
    var shelf: Shelf?
    var shelf_position = 5
    override init(number: Int) { super.init(number: number) }
  }

  @Model class Gear: Part {
    @Attribute(.unique) var code: String?
    var wear: Double?
    @Attribute(originalName: "note") var text: String?
    var note: Int?
    var shelf: Shelf?
    var maker: Shelf?
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Cog: Gear {
    var mark: String?
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Shelf {
    @Relationship(.ordered, inverse: \Bolt.shelf) var bolts: [Bolt] = []
    @Relationship(.ordered, inverse: \Gear.shelf) var gears: [Gear] = []
    @Relationship(deleteRule: .noAction, inverse: \Gear.maker) var made: [Gear] = []
    init() {}
  }
}

/// Properties that move to the superclass change their types, a different property is the inverse of a list, and a
/// reference becomes a number.
enum Depot3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Part.self, Gear.self, Cog.self, Bolt.self, Shelf.self] }

  @Model class Part {
    var number: Int
    var wear: Date?
    @Relationship(inverse: nil) var shelf: Shelf?
    init(number: Int) { self.number = number }
  }

  @Model class Gear: Part {
    @Attribute(.unique) var code: String?
    var other: Shelf?
    var maker: Int?
    var note: String?
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Cog: Gear {
    @Attribute(originalName: "code") var mark: String?
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Bolt: Part {
    override init(number: Int) { super.init(number: number) }
  }

  @Model final class Shelf {
    @Relationship(.ordered, inverse: \Gear.other) var gears: [Gear] = []
    init() {}
  }
}

/// A release with one subclass.
enum Depot4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Part.self, Bolt.self] }

  @Model class Part {
    var number: Int
    init(number: Int) { self.number = number }
  }

  @Model final class Bolt: Part {
    override init(number: Int) { super.init(number: number) }
  }
}

/// There are no subclasses, and a property has the same name as the column that stored the class of each row.
enum Depot5: VersionedSchema {
  static let versionIdentifier = Schema.Version(5, 0, 0)
  static var models: [any PersistentModel.Type] { [Part.self] }

  @Model class Part {
    var number: Int
    var entity: String = "none"
    init(number: Int) { self.number = number }
  }
}

/// The subclass has a new name.
enum Depot6: VersionedSchema {
  static let versionIdentifier = Schema.Version(6, 0, 0)
  static var models: [any PersistentModel.Type] { [Part.self, Nail.self] }

  @Model class Part {
    var number: Int
    init(number: Int) { self.number = number }
  }

  @Model(originalName: "Bolt") final class Nail: Part {
    override init(number: Int) { super.init(number: number) }
  }
}
