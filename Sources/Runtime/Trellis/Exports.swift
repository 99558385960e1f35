// A file that imports Trellis can write predicates, dates and observation, as with SwiftData.
@_exported public import Foundation
@_exported public import Observation
