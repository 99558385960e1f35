import SwiftData
enum AppSchema {
  enum V1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0); static var models: [any PersistentModel.Type] { [Pin.self] }
    @Model final class Pin { var text = ""; var state: Status = .done; init() {} } }
}
