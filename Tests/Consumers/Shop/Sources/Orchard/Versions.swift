import Foundation
import SwiftData

enum OrchardV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)

  static var models: [any PersistentModel.Type] {
    [Farm.self, Field.self, Tree.self, Variety.self, Harvest.self, Shed.self]
  }
}

enum OrchardV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 4, 0)

  static var models: [any PersistentModel.Type] {
    [
      Farm.self, Field.self, Tree.self, Variety.self, Harvest.self, Shed.self, Worker.self, Buyer.self, Sale.self,
    ]
  }
}

/// The models of the current version are at the top level.
enum OrchardV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      Farm.self, Field.self, TreeRow.self, Tree.self, Variety.self, Species.self, Season.self, Harvest.self,
      Crate.self, Buyer.self, Sale.self, SaleLine.self, Worker.self, Chore.self, Spraying.self, Substance.self,
      Sensor.self, Reading.self, Pest.self, Sighting.self, Hive.self, Beekeeper.self,
    ]
  }
}

enum OrchardMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [OrchardV1.self, OrchardV2.self, OrchardV3.self] }

  static var stages: [MigrationStage] { [toSecond, toThird] }

  static var toSecond: MigrationStage {
    .lightweight(fromVersion: OrchardV1.self, toVersion: OrchardV2.self)
  }

  static var toThird: MigrationStage {
    .custom(
      fromVersion: OrchardV2.self, toVersion: OrchardV3.self, willMigrate: mergeVarieties,
      didMigrate: fillNewProperties)
  }

  /// Merges varieties with equal names into the one that has the most trees.
  private static func mergeVarieties(in context: ModelContext) throws {
    let varieties = try context.fetch(FetchDescriptor<OrchardV2.Variety>())
    for (_, group) in Dictionary(grouping: varieties, by: \.name) where group.count > 1 {
      let sorted = group.sorted { $0.trees.count > $1.trees.count }
      for variety in sorted.dropFirst() {
        for tree in variety.trees { tree.variety = sorted[0] }
        sorted[0].ripensInWeek = sorted[0].ripensInWeek ?? variety.ripensInWeek
        context.delete(variety)
      }
    }
    try context.save()
  }

  /// Fills in heights in metres, a season for each year with harvests, and a line for each sale.
  private static func fillNewProperties(in context: ModelContext) throws {
    try context.enumerate(FetchDescriptor<Tree>(), allowEscapingMutations: true) { tree in
      tree.metres = Double(tree.centimetres) / 100
    }
    var seasons: [Int: Season] = [:]
    for harvest in try context.fetch(FetchDescriptor<Harvest>(sortBy: [SortDescriptor(\.pickedAt)])) {
      let year = Season.year(of: harvest.pickedAt)
      let season = seasons[year] ?? Season(year: year, farm: harvest.tree?.field?.farm)
      if seasons.updateValue(season, forKey: year) == nil { context.insert(season) }
      harvest.season = season
    }
    for sale in try context.fetch(FetchDescriptor<Sale>()) {
      context.insert(SaleLine(product: "Fruit", price: sale.total, sale: sale))
    }
    try context.save()
  }
}

/// The plan of the release before the current one.
enum FormerMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { Array(OrchardMigrationPlan.schemas.prefix(2)) }
  static var stages: [MigrationStage] { [OrchardMigrationPlan.toSecond] }
}
