import SwiftData
extension VersionedSchemaOne: VersionedSchema { static let versionIdentifier = Schema.Version(1, 0, 0)
 static var models: [any PersistentModel.Type] { [A.self] } }
enum VersionedSchemaOne { @Model class A { var x = 1 } }
@Model class B { var y = 2 }
