import Foundation
import Trellis

// Releases of one app. The later releases open stores of the first one.

enum Release1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Owner.self, Item.self, Left.self, Right.self] }

  @Model final class Owner {
    @Attribute(.unique) var name: String
    var nickname = "nick"
    var note: String?
    var rank = 7
    @Relationship(deleteRule: .nullify, inverse: \Item.owner) var items: [Item] = []
    @Relationship(inverse: nil) var first: [Item] = []
    @Relationship(inverse: nil) var second: [Item] = []
    init(name: String) { self.name = name }
  }

  @Model final class Item {
    #Index<Item>([\.title])
    var title: String
    @Attribute(.externalStorage) var picture: Data
    var owner: Owner?
    init(title: String) {
      self.title = title
      picture = Data(repeating: 7, count: 300_000)
    }
  }

  @Model final class Left {
    @Relationship(inverse: nil) var right: Right?
    init() {}
  }

  @Model final class Right {
    @Relationship(inverse: nil) var left: Left?
    init() {}
  }
}

/// Different delete rules, and different optional properties.
enum Release2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Owner.self, Item.self, Left.self, Right.self] }

  @Model final class Owner {
    @Attribute(.unique) var name: String
    var nickname = "nick"
    var note: String = "none"
    var rank: Int?
    @Relationship(deleteRule: .cascade, inverse: \Item.owner) var items: [Item] = []
    @Relationship(inverse: nil) var first: [Item] = []
    @Relationship(inverse: nil) var second: [Item] = []
    init(name: String) { self.name = name }
  }

  @Model final class Item {
    #Index<Item>([\.title])
    var title: String
    @Attribute(.externalStorage) var picture: Data
    var owner: Owner?
    init(title: String) {
      self.title = title
      picture = Data()
    }
  }

  @Model final class Left {
    @Relationship(inverse: nil) var right: Right?
    init() {}
  }

  @Model final class Right {
    @Relationship(inverse: nil) var left: Left?
    init() {}
  }
}

/// A property without a default value is required.
enum Release3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Owner.self, Item.self, Left.self, Right.self] }

  @Model final class Owner {
    @Attribute(.unique) var name: String
    var nickname = "nick"
    var note: String
    var rank = 7
    @Relationship(deleteRule: .nullify, inverse: \Item.owner) var items: [Item] = []
    @Relationship(inverse: nil) var first: [Item] = []
    @Relationship(inverse: nil) var second: [Item] = []
    init(name: String, note: String) {
      self.name = name
      self.note = note
    }
  }

  @Model final class Item {
    #Index<Item>([\.title])
    var title: String
    @Attribute(.externalStorage) var picture: Data
    var owner: Owner?
    init(title: String) {
      self.title = title
      picture = Data()
    }
  }

  @Model final class Left {
    @Relationship(inverse: nil) var right: Right?
    init() {}
  }

  @Model final class Right {
    @Relationship(inverse: nil) var left: Left?
    init() {}
  }
}

/// Two string properties exchange their names.
enum Release4: VersionedSchema {
  static let versionIdentifier = Schema.Version(4, 0, 0)
  static var models: [any PersistentModel.Type] { [Owner.self, Item.self, Left.self, Right.self] }

  @Model final class Owner {
    @Attribute(.unique, originalName: "nickname") var name: String = ""
    @Attribute(originalName: "name") var nickname: String
    var note: String?
    var rank = 7
    @Relationship(deleteRule: .nullify, inverse: \Item.owner) var items: [Item] = []
    @Relationship(inverse: nil) var first: [Item] = []
    @Relationship(inverse: nil) var second: [Item] = []
    init(name: String) { nickname = name }
  }

  @Model final class Item {
    #Index<Item>([\.title])
    var title: String
    @Attribute(.externalStorage) var picture: Data
    var owner: Owner?
    init(title: String) {
      self.title = title
      picture = Data()
    }
  }

  @Model final class Left {
    @Relationship(inverse: nil) var right: Right?
    init() {}
  }

  @Model final class Right {
    @Relationship(inverse: nil) var left: Left?
    init() {}
  }
}

/// Two lists exchange their names, and a new model has another model's former name.
enum Release5: VersionedSchema {
  static let versionIdentifier = Schema.Version(5, 0, 0)
  static var models: [any PersistentModel.Type] { [Owner.self, Item.self, Part.self, Left.self, Right.self] }

  @Model final class Owner {
    @Attribute(.unique) var name: String
    var nickname = "nick"
    var note: String?
    var rank = 7
    @Relationship(deleteRule: .nullify, inverse: \Part.owner) var items: [Part] = []
    @Relationship(originalName: "second", inverse: nil) var first: [Part] = []
    @Relationship(originalName: "first", inverse: nil) var second: [Part] = []
    init(name: String) { self.name = name }
  }

  @Model(originalName: "Item") final class Part {
    #Index<Part>([\.title])
    var title: String
    @Attribute(.externalStorage) var picture: Data
    var owner: Owner?
    init(title: String) {
      self.title = title
      picture = Data()
    }
  }

  @Model final class Item {
    var number = 1
    init() {}
  }

  @Model final class Left {
    @Relationship(inverse: nil) var right: Right?
    init() {}
  }

  @Model final class Right {
    @Relationship(inverse: nil) var left: Left?
    init() {}
  }
}

/// Two references become inverses of each other.
enum Release6: VersionedSchema {
  static let versionIdentifier = Schema.Version(6, 0, 0)
  static var models: [any PersistentModel.Type] { [Owner.self, Item.self, Left.self, Right.self] }

  @Model final class Owner {
    @Attribute(.unique) var name: String
    var nickname = "nick"
    var note: String?
    var rank = 7
    @Relationship(deleteRule: .nullify, inverse: \Item.owner) var items: [Item] = []
    @Relationship(inverse: nil) var first: [Item] = []
    @Relationship(inverse: nil) var second: [Item] = []
    init(name: String) { self.name = name }
  }

  @Model final class Item {
    #Index<Item>([\.title])
    var title: String
    @Attribute(.externalStorage) var picture: Data
    var owner: Owner?
    init(title: String) {
      self.title = title
      picture = Data()
    }
  }

  @Model final class Left {
    var right: Right?
    init() {}
  }

  @Model final class Right {
    @Relationship(inverse: \Left.right) var left: Left?
    init() {}
  }
}
