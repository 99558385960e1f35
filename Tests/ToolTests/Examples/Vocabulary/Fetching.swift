import Foundation
import Trellis

// Values of the models in `Fetching.schema`.

var club: TravelClub { fatalError() }

struct ClubColor: Equatable {
  var hue: UInt8
}

final class ClubColorTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? ClubColor).map { Data([$0.hue]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data)?.first.map { ClubColor(hue: $0) }
  }
}
