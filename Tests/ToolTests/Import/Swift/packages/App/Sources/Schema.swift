import SwiftData
enum AppSchema {
  enum V1: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0); static var models: [any PersistentModel.Type] { [Todo.self] }
    @Model final class Todo { var text = ""; var state: Status = Status.open; init() {} } }
  enum V2: VersionedSchema { static let versionIdentifier = Schema.Version(1,0,0); static var models: [any PersistentModel.Type] { [Todo.self, Extra.self] }
    @Model final class Todo { var text = ""; var state: Status = Status.open; var rank = 0; init() {} } }
}
@Model final class Extra { var x: Int = 1; init() {} }
