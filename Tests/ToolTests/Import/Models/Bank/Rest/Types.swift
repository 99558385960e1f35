import Foundation
import Trellis

struct Colour: Codable, Sendable { var red = 0.0 }

struct Region: Codable, Sendable { var name = "" }

final class ColourTransformer: ValueTransformer {}
