import Foundation
import Trellis

// Versions with equal tables, in which types inside the JSON of structs and enums differ.

enum FieldsA: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Voyage.self] }

  struct Stop: Codable, Equatable, Sendable {
    var arrival: Date?
    var picture: Data = Data("abc".utf8)
    var next: [Stop] = []
  }

  struct Period: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey { case start = "from", length, stops }
    var start = Date(timeIntervalSinceReferenceDate: 60)
    var length = 3
    var stops: [Stop]? = [Stop(arrival: Date(timeIntervalSinceReferenceDate: 5))]
  }

  enum Reminder: Codable, Equatable, Sendable {
    case never
    case at(Date, text: String)
  }

  @Model final class Voyage {
    var period = Period()
    var stops: [String: Stop] = ["a": Stop(arrival: Date(timeIntervalSinceReferenceDate: 7))]
    var reminder: Reminder = Reminder.at(Date(timeIntervalSinceReferenceDate: 9), text: "go")
    init() {}
  }
}

/// Dates have become numbers, and data has become text.
enum FieldsB: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Voyage.self] }

  struct Stop: Codable, Equatable, Sendable {
    var arrival: Double?
    var picture: String = "abc"
    var next: [Stop] = []
  }

  struct Period: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey { case begin = "from", length, stops }
    var begin = 60.0
    var length = 3
    var stops: [Stop]? = []
  }

  enum Reminder: Codable, Equatable, Sendable {
    case never
    case at(TimeInterval, text: String)
  }

  @Model final class Voyage {
    var period = Period()
    var stops: [String: Stop] = [:]
    var reminder: Reminder = Reminder.never
    init() {}
  }
}

/// Types that read the same values, or convert them.
enum FieldsC: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Voyage.self] }

  typealias Moment = Date

  struct Stop: Codable, Equatable, Sendable {
    var arrival: Double?
    var picture: Data = Data()
    init() {}

    private enum CodingKeys: String, CodingKey { case arrival, picture }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      arrival = try container.decodeIfPresent(Date.self, forKey: .arrival)?.timeIntervalSinceReferenceDate
      picture = try container.decode(Data.self, forKey: .picture)
    }
  }

  struct Period: Codable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey { case start = "from", length, stops, note }
    var start: Moment = Moment(timeIntervalSinceReferenceDate: 60)
    var length = 3.0
    var stops: [Stop]? = []
    var note: String?
  }

  enum Reminder: Codable, Equatable, Sendable {
    case never, always
    case at(Moment, text: String)
  }

  @Model final class Voyage {
    var period = Period()
    var stops: [String: Stop] = [:]
    var reminder: Reminder = Reminder.never
    init() {}
  }
}

enum FieldsBPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FieldsA.self, FieldsB.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: FieldsA.self, toVersion: FieldsB.self)] }
}

enum FieldsCPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [FieldsA.self, FieldsC.self] }
  static var stages: [MigrationStage] { [.lightweight(fromVersion: FieldsA.self, toVersion: FieldsC.self)] }
}
