import Trellis

// The handwritten versions in the articles on migrations.

enum V1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Trip.self] }

  @Model final class Tag {
    var name: String
    var weight: Int

    init(name: String, weight: Int) {
      self.name = name
      self.weight = weight
    }
  }

  @Model final class Trip {
    var budget: Double

    init(budget: Double) { self.budget = budget }
  }
}

enum V2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Tag.self, Memo.self, Trip.self] }

  @Model final class Tag {
    @Attribute(.unique) var name: String
    var weight: Int

    init(name: String, weight: Int) {
      self.name = name
      self.weight = weight
    }
  }

  @Model final class Memo {
    var text: String

    init(text: String) { self.text = text }
  }

  @Model final class Trip {
    @Attribute(originalName: "budget") var formerBudget: Double
    var budget: Int = 0

    init(formerBudget: Double) { self.formerBudget = formerBudget }
  }
}
