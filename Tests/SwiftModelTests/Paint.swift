import Foundation
import Trellis

// Two versions in which an enum has raw values of different types, inside collections.

enum PaintV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Wall.self] }

  enum Tone: String, Codable, Hashable { case light, dark }

  @Model final class Wall {
    var tones: [Tone] = []
    var places: [String: Set<Tone>]? = [:]
    init(_ tones: [Tone]) { self.tones = tones }
  }
}

enum PaintV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Wall.self] }

  enum Tone: Int, Codable, Hashable { case light, dark }

  @Model final class Wall {
    var tones: [Tone] = []
    var places: [String: Set<Tone>]? = [:]
    init(_ tones: [Tone]) { self.tones = tones }
  }
}

enum PaintPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [PaintV1.self, PaintV2.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: PaintV1.self, toVersion: PaintV2.self)] }
}
