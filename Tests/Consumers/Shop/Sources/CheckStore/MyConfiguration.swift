import Trellis
import TrellisJSON

/// What the article on custom stores calls the store of its reader.
typealias MyConfiguration = JSONFileConfiguration
