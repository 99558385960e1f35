import Foundation
import SampleTripsGolden
import Trellis

// Values that examples use without declaring them. They are type-checked and never computed.

var container: ModelContainer { fatalError() }
var context: ModelContext { fatalError() }
var trip: Trip { fatalError() }
var trips: [Trip] { [] }
var url: URL { URL(filePath: "trips.store") }
