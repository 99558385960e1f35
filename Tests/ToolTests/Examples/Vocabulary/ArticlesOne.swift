import JSONStore
import SampleTripsGolden
import Trellis

// The article on custom stores: files that the reader copies or writes.

typealias JSONFileConfiguration = JSONStore.JSONFileConfiguration
typealias MyConfiguration = JSONStore.JSONFileConfiguration

final class SaveLog: Sendable {
  func note(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) {}
}

// The article on build times: modules with a version each.

enum Trips { typealias TripsSchema = SampleTripsSchema }
enum TripsV1 { typealias TripsSchema = SampleTripsSchema }
